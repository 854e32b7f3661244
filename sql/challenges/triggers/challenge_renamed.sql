-- Entries hold a board's id. After the update and not before it: a trigger before it makes every update of
-- a board compute the generated columns again.
create or replace trigger challenge_renamed after update of id on challenge
for each row when (old.id <> new.id) execute function challenge_renamed()
