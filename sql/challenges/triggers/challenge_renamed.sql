-- Prevents changes to a board's id, because entries refer to it. The trigger runs after the update. A BEFORE trigger
-- would compute the generated columns again for every update of a board.
create or replace trigger challenge_renamed after update of id on challenge
for each row when (old.id <> new.id) execute function challenge_renamed()
