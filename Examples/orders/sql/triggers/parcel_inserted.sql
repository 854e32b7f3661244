-- New parcels wake tell-warehouse; the topic is the first argument.
create or replace trigger parcel_inserted after insert on parcel
referencing new table as new_row
for each statement execute function parcel_inserted('parcel.ordered')
