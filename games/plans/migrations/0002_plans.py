from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('conditional', '0001_initial'),
    ]

    operations = [
        migrations.RenameModel(old_name='Standing', new_name='Plans'),
        migrations.AlterModelOptions(name='plans', options={'verbose_name_plural': 'plans'}),
        migrations.RemoveConstraint(model_name='plans', name='standing_once_for_each'),
        migrations.AddConstraint(
            model_name='plans',
            constraint=models.UniqueConstraint(fields=('game', 'player'), name='plans_once_for_each'),
        ),
    ]
