from typing import Any

from django.db import migrations, models


def write_ending(apps: Any, schema_editor: Any) -> None:
    """What is proposed already in games that go on, from their logs."""
    game_model = apps.get_model("games", "Game")
    for game in game_model.objects.filter(status="playing", actions__text="end-proposed").distinct():
        found = {}
        for entry in game.actions.filter(kind="event").order_by("number"):
            if entry.text == "end-proposed":
                found = {"by": entry.seat, "counts": bool(entry.data["counts"]), "agreed": [entry.seat]}
            elif entry.text in ("end-declined", "ended"):
                found = {}
            elif found and entry.text == "end-agreed":
                found["agreed"].append(entry.seat)
            elif found and entry.text == "substituted":
                found["agreed"] = [seat for seat in found["agreed"] if seat != entry.seat]
        game_model.objects.filter(pk=game.pk).update(ending=found)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0004_ended_by_consent'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='ending',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AlterField(
            model_name='action',
            name='kind',
            field=models.CharField(choices=[('move', 'Move'), ('said', 'Said'), ('event', 'Event')], max_length=5),
        ),
        migrations.RunPython(write_ending, migrations.RunPython.noop),
    ]
