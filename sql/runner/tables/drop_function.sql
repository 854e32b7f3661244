-- The template drops the function that a dropped trigger used. Rows: none. Locks: the function.
drop function if exists {function}()
