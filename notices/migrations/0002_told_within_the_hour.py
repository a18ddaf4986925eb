"""Turns are told within the hour by default; who still has all the old defaults has never chosen, and gets the new ones."""

from typing import Any

from django.db import migrations, models


OLD = {
    "turn_mail": "digest", "turn_push": "each", "game_mail": "digest", "game_push": True, "table_mail": "now",
    "table_push": True, "talk_mail": "digest", "talk_push": False, "other_mail": "digest", "other_push": False,
    "mail_off": False, "digest_hour": 7,
}  # fmt: skip


def take_new_defaults(apps: Any, schema_editor: Any) -> None:
    """Write what holds by default now for those who kept what held before."""
    apps.get_model("notices", "Preference").objects.filter(**OLD).update(
        turn_mail="hour", game_mail="hour", table_mail="hour"
    )


class Migration(migrations.Migration):

    dependencies = [
        ('notices', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='preference',
            name='asked_how',
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name='gamepreference',
            name='mail',
            field=models.CharField(blank=True, choices=[('each', 'at each turn'), ('hour', 'within the hour, unless a device shows it'), ('digest', 'once a day'), ('deadline', 'only when time runs short'), ('nothing', 'not at all')], max_length=8),
        ),
        migrations.AlterField(
            model_name='outbox',
            name='kind',
            field=models.CharField(choices=[('turn', 'Turn'), ('deadline', 'Deadline'), ('question', 'Question'), ('game', 'Game'), ('table', 'Table'), ('talk', 'Talk'), ('other', 'Other'), ('test', 'Test')], default='other', max_length=8),
        ),
        migrations.AlterField(
            model_name='preference',
            name='game_mail',
            field=models.CharField(choices=[('now', 'at once'), ('hour', 'within the hour, unless a device shows it'), ('digest', 'once a day'), ('never', 'not at all')], default='hour', max_length=6),
        ),
        migrations.AlterField(
            model_name='preference',
            name='other_mail',
            field=models.CharField(choices=[('now', 'at once'), ('hour', 'within the hour, unless a device shows it'), ('digest', 'once a day'), ('never', 'not at all')], default='digest', max_length=6),
        ),
        migrations.AlterField(
            model_name='preference',
            name='table_mail',
            field=models.CharField(choices=[('now', 'at once'), ('hour', 'within the hour, unless a device shows it'), ('digest', 'once a day'), ('never', 'not at all')], default='hour', max_length=6),
        ),
        migrations.AlterField(
            model_name='preference',
            name='talk_mail',
            field=models.CharField(choices=[('now', 'at once'), ('hour', 'within the hour, unless a device shows it'), ('digest', 'once a day'), ('never', 'not at all')], default='digest', max_length=6),
        ),
        migrations.AlterField(
            model_name='preference',
            name='turn_mail',
            field=models.CharField(choices=[('each', 'at each turn'), ('hour', 'within the hour, unless a device shows it'), ('digest', 'once a day'), ('deadline', 'only when time runs short'), ('nothing', 'not at all')], default='hour', max_length=8),
        ),
        migrations.RunPython(take_new_defaults, migrations.RunPython.noop),
    ]
