from collections import Counter

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def tell_apart(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Two processes could make the same computer player at once: the later ones get a number."""
    made = Counter[tuple[str, str]]()
    for player in apps.get_model('accounts', 'Player').objects.exclude(computer='').order_by('pk').only('computer', 'name'):
        which = player.computer, player.name
        made[which] += 1
        if made[which] > 1:
            player.name = f'{player.name} {made[which]}'.strip()
            player.save(update_fields=['name'])


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0008_small_cards_by_default'),
    ]

    operations = [
        migrations.RunPython(tell_apart, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.UniqueConstraint(condition=models.Q(('computer', ''), _negated=True), fields=('computer', 'name'), name='player_computer_made_once'),
        ),
    ]
