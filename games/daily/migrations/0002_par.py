from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("daily", "0001_initial")]

    operations = [
        migrations.AddField("dailyday", "par_plays", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("dailyday", "par_total", models.IntegerField(default=0)),
        migrations.AddField("dailyday", "par_squares", models.IntegerField(default=0)),
    ]
