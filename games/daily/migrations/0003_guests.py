from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("daily", "0002_par")]

    operations = [migrations.AddField("dailyentry", "as_guest", models.BooleanField(default=False, db_default=False))]
