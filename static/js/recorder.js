/**
 * Press, speak, listen, send: what the microphone hears takes the place of the file in the form. Where the browser cannot
 * record, the field for a file stays.
 */
import { setText } from "./site.js";

const KINDS = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus"];
const BITS_A_SECOND = 32_000;

const form = document.querySelector("[data-recorder]");
const kind = KINDS.find((each) => window.MediaRecorder?.isTypeSupported(each));

if (form && kind && navigator.mediaDevices?.getUserMedia) begin();

function begin() {
  const part = (name) => form.querySelector(`[data-${name}]`);
  const [speak, stop, state, player] = [part("speak"), part("stop"), part("state"), form.querySelector("audio")];
  const file = form.elements.namedItem("sound");
  let recorder = null;
  let ends = 0;

  part("record").hidden = false;
  part("file").hidden = true;
  file.required = false; // what cannot be seen cannot be asked for

  const show = (isRecording) => {
    speak.hidden = isRecording;
    stop.hidden = !isRecording;
    if (isRecording) stop.focus();
  };

  speak.addEventListener("click", async () => {
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch {
      setText(state, gettext("The microphone cannot be used. Allow it in your browser, or choose a file."));
      part("file").hidden = false;
      return;
    }
    const heard = [];
    recorder = new MediaRecorder(stream, { mimeType: kind, audioBitsPerSecond: BITS_A_SECOND });
    recorder.addEventListener("dataavailable", ({ data }) => heard.push(data));
    recorder.addEventListener("stop", () => {
      for (const track of stream.getTracks()) track.stop();
      take(new Blob(heard, { type: kind }));
    });
    recorder.start();
    player.hidden = true;
    show(true);
    setText(state, gettext("Speak now."));
    ends = window.setTimeout(() => recorder?.stop(), Number(form.dataset.seconds) * 1000);
  });

  stop.addEventListener("click", () => recorder?.stop());

  function take(sound) {
    window.clearTimeout(ends);
    recorder = null;
    const files = new DataTransfer();
    files.items.add(new File([sound], "recording", { type: kind }));
    file.files = files.files;
    if (player.src) URL.revokeObjectURL(player.src);
    player.src = URL.createObjectURL(sound);
    player.hidden = false;
    show(false);
    setText(speak, gettext("Speak again"));
    setText(state, gettext("Listen to it, then send it."));
    speak.focus();
  }

  form.addEventListener("submit", (event) => {
    if (file.files.length > 0) return;
    event.preventDefault();
    setText(state, gettext("Press “Speak” first."));
    speak.focus();
  });
}
