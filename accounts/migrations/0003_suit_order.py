from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_table_preferences")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="suit_order",
            field=models.CharField(default="COSB", max_length=4, verbose_name="order of the suits in your hand"),
        ),
    ]
