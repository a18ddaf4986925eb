from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def rename(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """There was one level, and it had a number."""
    apps.get_model('accounts', 'Player').objects.filter(computer='level-1').update(computer='beginner')


def name_back(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model('accounts', 'Player').objects.filter(computer='beginner').update(computer='level-1')


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0005_programs'),
    ]

    operations = [
        migrations.RunPython(rename, name_back),
    ]
