"""Whose chance it is that was added to a pack before its deal began."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0012_watching")]

    operations = [
        migrations.AddField("deal", "given_by", models.JSONField(blank=True, default=dict)),
    ]
