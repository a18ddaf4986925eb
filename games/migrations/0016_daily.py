"""The daily deal: days, who has played them, what people wish about it."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_suspensions'),
        ('games', '0015_boards'),
    ]

    operations = [
        migrations.CreateModel(
            name='DailyDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('date', models.DateField(unique=True)),
                ('lane', models.PositiveSmallIntegerField()),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('opened_at', models.DateTimeField(blank=True, null=True)),
                ('players', models.PositiveIntegerField(default=0)),
                ('datum', models.IntegerField(blank=True, null=True)),
                ('computer_points', models.IntegerField(blank=True, null=True)),
                ('board_set', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='daily', to='games.boardset')),
                ('computer', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='daily_yardstick', to='games.game')),
            ],
        ),
        migrations.CreateModel(
            name='DailyEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begun_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('points', models.IntegerField(blank=True, null=True)),
                ('day', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='games.dailyday')),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='daily_entry', to='games.game')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='daily_entries', to='accounts.player')),
            ],
            options={
                'verbose_name_plural': 'daily entries',
            },
        ),
        migrations.CreateModel(
            name='DailyWishes',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('shows_name', models.BooleanField(default=False)),
                ('shows_play', models.BooleanField(default=False)),
                ('remind_hour', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('remind_at', models.DateTimeField(blank=True, null=True)),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='daily_wishes', to='accounts.player')),
            ],
            options={
                'verbose_name_plural': 'daily wishes',
            },
        ),
        migrations.AddIndex(
            model_name='dailyday',
            index=models.Index(condition=models.Q(('opened_at', None)), fields=['date'], name='daily_not_open'),
        ),
        migrations.AddIndex(
            model_name='dailyentry',
            index=models.Index(fields=['day', 'points'], name='daily_results'),
        ),
        migrations.AddConstraint(
            model_name='dailyentry',
            constraint=models.UniqueConstraint(fields=('day', 'player'), name='daily_once'),
        ),
        migrations.AddIndex(
            model_name='dailywishes',
            index=models.Index(condition=models.Q(('remind_at__isnull', False)), fields=['remind_at'], name='daily_remind'),
        ),
        migrations.AddConstraint(
            model_name='dailywishes',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('remind_at', None), ('remind_hour', None)), ('remind_hour__lt', 24), _connector='OR'), name='daily_hour_and_moment'),
        ),
    ]
