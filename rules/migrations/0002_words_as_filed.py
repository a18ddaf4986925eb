from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from rules.documents import sorting

AT_ONCE = 1000


def file_words(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Note for every word where it stands in a list; words published from now on bring it along."""
    words = apps.get_model('rules', 'Term').objects
    keys = list(words.order_by('pk').values_list('pk', flat=True))
    for start in range(0, len(keys), AT_ONCE):
        rows = list(words.filter(pk__in=keys[start : start + AT_ONCE]).only('text', 'language'))
        for row in rows:
            for name, value in sorting.columns(row.text, row.language).items():
                setattr(row, name, value)
        words.bulk_update(rows, ['folded', 'letter', 'filed'], batch_size=200)


class Migration(migrations.Migration):

    dependencies = [
        ('rules', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='term',
            name='folded',
            field=models.TextField(db_default='', default=''),
        ),
        migrations.AddField(
            model_name='term',
            name='letter',
            field=models.CharField(db_default='', default='', max_length=4),
        ),
        migrations.AddField(
            model_name='term',
            name='filed',
            field=models.BinaryField(db_default=b'', default=b''),
        ),
        migrations.RunPython(file_words, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name='term',
            index=models.Index(fields=['language', 'filed'], name='term_as_filed'),
        ),
        migrations.AddIndex(
            model_name='term',
            index=models.Index(fields=['language', 'letter', 'concept', 'folded'], name='term_by_letter'),
        ),
        migrations.AddIndex(
            model_name='term',
            index=models.Index(fields=['language', 'concept', 'status'], name='term_of_concept'),
        ),
    ]
