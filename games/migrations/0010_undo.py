from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0009_chat"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="undo",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
