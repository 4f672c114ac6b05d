-- Of the texts of a log it is kept which letters each contact holds, and which letters follow each other in any of them, so
-- that a search reads few of them. The years of logs are packed anew.

DELETE FROM log_columns;

DELETE FROM log_years;
