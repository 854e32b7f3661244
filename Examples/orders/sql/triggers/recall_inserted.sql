-- A recall wakes recall-product. Recalls are few: the runner's own function is good enough for them.
create or replace trigger recall_inserted after insert on recall
referencing new table as new_row
for each statement execute function record_events('product.recalled', 'product')
