-- A template: the function goes whose trigger is gone. Rows: none. Locks: it.
drop function if exists {function}()
