"""Forced cards are played at tables of days by default; who wished it everywhere goes on wishing so."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def keep_wishes(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("accounts", "Player").objects.filter(plays_forced=True).update(forced_cards="always")


def give_back_wishes(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("accounts", "Player").objects.filter(forced_cards="always").update(plays_forced=True)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_suit_order")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="forced_cards",
            field=models.CharField(
                choices=[
                    ("ask", "ask me each time"),
                    ("days", "play them for me at tables with days for each move"),
                    ("always", "always play them for me"),
                ],
                default="days",
                max_length=6,
                verbose_name="forced cards",
            ),
        ),
        migrations.RunPython(keep_wishes, give_back_wishes),
        migrations.RemoveField(model_name="player", name="plays_forced"),
    ]
