from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0002_provisional")]

    operations = [migrations.AddField("club", "demands_second_factor", models.BooleanField(default=False, db_default=False))]
