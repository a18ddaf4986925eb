from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def keep_the_wish(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Who wanted no pause has computer players play at once."""
    apps.get_model("accounts", "Player").objects.filter(bot_pause=False).update(bot_speed="at-once")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="bot_speed",
            field=models.CharField(
                choices=[("slow", "slow"), ("normal", "normal"), ("quick", "quick"), ("at-once", "at once")],
                default="normal",
                max_length=7,
                verbose_name="how fast computer players play",
            ),
        ),
        migrations.RunPython(keep_the_wish, migrations.RunPython.noop),
        migrations.RemoveField(model_name="player", name="bot_pause"),
        migrations.AddField(
            model_name="player",
            name="waits_after_trick",
            field=models.BooleanField(default=False, verbose_name="wait for me after each trick"),
        ),
        migrations.AddField(
            model_name="player",
            name="trumps_first",
            field=models.BooleanField(default=False, verbose_name="trumps before the suits"),
        ),
        migrations.AddField(
            model_name="player", name="sounds", field=models.BooleanField(default=False, verbose_name="sounds")
        ),
        migrations.AddField(
            model_name="player",
            name="vibrates",
            field=models.BooleanField(default=False, verbose_name="vibrate when it is my turn"),
        ),
    ]
