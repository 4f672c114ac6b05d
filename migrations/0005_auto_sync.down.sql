DROP TABLE auto_sync_settings;
