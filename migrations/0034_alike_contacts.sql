-- Tallies tell what contacts have in common too, so that lists need not count it. What is kept is counted anew once.

UPDATE users SET tallied_version = NULL;
