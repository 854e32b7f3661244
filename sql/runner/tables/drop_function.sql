-- The template drops the function of a dropped trigger. Rows: none. Locks: the function.
drop function if exists {function}()
