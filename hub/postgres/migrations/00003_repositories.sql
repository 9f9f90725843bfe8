-- All postings of a repository are found without reading those of the others. They lie side by side, so that the
-- ranges of an index by blocks are enough, which has next to no size.

-- +goose Up
alter procedure hub.generation(int) rename to tables_of_generation;

-- +goose StatementBegin
create procedure hub.generation(number int) language plpgsql as $$
begin
  call hub.tables_of_generation(number);
  execute format('create index if not exists post_%s_repo on hub.post_%s
    using brin (org, repo int4_minmax_multi_ops) with (pages_per_range = 32, autosummarize = on)', number, number);
end
$$;
-- +goose StatementEnd
