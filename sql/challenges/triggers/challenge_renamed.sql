-- Entries refer to a board's id. The trigger runs after the update: with a trigger before it, every update of a board
-- would compute the generated columns again.
create or replace trigger challenge_renamed after update of id on challenge
for each row when (old.id <> new.id) execute function challenge_renamed()
