-- {"version":"0.3.0","written":"2026-11-26T06:13:08.927Z","encryptionKeys":"k1:zTUI+2zrk1Sg/FgYkRQiUR7DxsX7vbu55U5rSLQxX3w=","apiKey":"dsk_RQzj7QAeYlxWipDJxUpsPl0ZT_2QOutl"}
create table api_keys (
  workspace_id text not null,
  state text not null,
  sealed_key text,
  last_four text,
  fingerprint text,
  connected_by text,
  changed_at bigint not null,
  constraint api_keys_pkey PRIMARY KEY (workspace_id)
);
insert into api_keys values ('T000000001', 'active', '{"ciphertext":"7YdjgvALauIbqHb03YtmvS4TnFfBji2apqv_q9JZBUYiUbiH","iv":"WzjVkr2jSqdr4njz","tag":"x4rF20p-Ck33yPMdnhGKeA","aad":"VDAwMDAwMDAwMS9hcGkta2V5","protected":"eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiazEifQ"}', 'Outl', '96ca6aca899d4681', 'U000000004', '1795673585765');
create table audit_entries (
  id text not null,
  workspace_id text not null,
  what text not null,
  done_by text,
  details text not null,
  done_at bigint not null,
  constraint audit_entries_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_entries_by_age ON public.audit_entries USING btree (done_at);
CREATE INDEX audit_entries_of_a_workspace ON public.audit_entries USING btree (workspace_id, done_at, id);
insert into audit_entries values ('39f22f82-def9-4c2d-8429-319c00897416', 'T000000001', 'settings_changed', 'U000000004', '{"changes":[{"field":"guestsAllowed","before":false,"after":true}]}', '1795673586964');
insert into audit_entries values ('62fddff7-33c9-4b4d-9b08-4fe412506ee9', 'T000000001', 'settings_changed', 'U000000004', '{"changes":[{"field":"projectId","after":"project-1"}]}', '1795673585940');
insert into audit_entries values ('6f32d77e-e153-483b-a8c5-a07a854d8fae', 'T000000001', 'key_connected', 'U000000004', '{"changes":[{"field":"key","after":"Outl"}]}', '1795673585789');
create table budgets (
  fingerprint text not null,
  budget text not null,
  revision bigint not null,
  changed_at bigint not null,
  constraint budgets_pkey PRIMARY KEY (fingerprint)
);
insert into budgets values ('96ca6aca899d4681', '{"limit":60,"waitUntil":1795673647153,"calls":[{"until":1795673649000,"count":4,"links":0},{"until":1795673650000,"count":3,"links":1},{"until":1795673651000,"count":1,"links":0}]}', '9', '1795673587154');
create table card_watchers (
  workspace_id text not null,
  card_id text not null,
  user_id text not null,
  channel text,
  ts text,
  watching_since bigint not null,
  constraint card_watchers_pkey PRIMARY KEY (workspace_id, card_id, user_id)
);
CREATE INDEX card_watchers_by_person ON public.card_watchers USING btree (workspace_id, user_id, watching_since);
insert into card_watchers values ('T000000001', 'card-1009', 'U000000005', 'C000000006', '1795673586.648000', '1795673586493');
create table entries (
  workspace_id text not null,
  kind text not null,
  name text not null,
  changed_at bigint not null,
  expires_at bigint,
  value text not null,
  constraint entries_pkey PRIMARY KEY (workspace_id, kind, name)
);
CREATE INDEX entries_by_expiry ON public.entries USING btree (expires_at) WHERE (expires_at IS NOT NULL);
insert into entries values ('', 'last_pruned', '', '1795673585320', NULL, '1795673585320');
insert into entries values ('T000000001', 'brands', '', '1795673585817', NULL, '{"fingerprint":"96ca6aca899d4681","body":{"data":[{"id":"brand-18","name":"Amber Analytics"},{"id":"brand-19","name":"Birch Analytics"},{"id":"brand-20","name":"Cobalt Analytics"},{"id":"brand-21","name":"Delta Analytics"},{"id":"brand-22","name":"Ember Analytics"},{"id":"brand-23","name":"Fjord Analytics"},{"id":"brand-24","name":"Grove Analytics"},{"id":"brand-25","name":"Harbor Analytics"},{"id":"brand-26","name":"Indigo Analytics"},{"id":"brand-27","name":"Juniper Analytics"},{"id":"brand-28","name":"Kite Analytics"},{"id":"brand-29","name":"Lumen Analytics"},{"id":"brand-30","name":"Meadow Analytics"},{"id":"brand-31","name":"Nimbus Analytics"},{"id":"brand-32","name":"Onyx Analytics"},{"id":"brand-33","name":"Pine Analytics"},{"id":"brand-34","name":"Amber Bakery"},{"id":"brand-35","name":"Birch Bakery"},{"id":"brand-36","name":"Cobalt Bakery"},{"id":"brand-37","name":"Delta Bakery"},{"id":"brand-38","name":"Ember Bakery"},{"id":"brand-39","name":"Fjord Bakery"},{"id":"brand-40","name":"Grove Bakery"},{"id":"brand-41","name":"Harbor Bakery"},{"id":"brand-42","name":"Indigo Bakery"},{"id":"brand-43","name":"Juniper Bakery"},{"id":"brand-44","name":"Kite Bakery"},{"id":"brand-45","name":"Lumen Bakery"},{"id":"brand-46","name":"Meadow Bakery"},{"id":"brand-47","name":"Nimbus Bakery"},{"id":"brand-48","name":"Onyx Bakery"},{"id":"brand-49","name":"Pine Bakery"},{"id":"brand-50","name":"Amber Cycles"},{"id":"brand-51","name":"Birch Cycles"},{"id":"brand-52","name":"Cobalt Cycles"},{"id":"brand-53","name":"Delta Cycles"},{"id":"brand-54","name":"Ember Cycles"},{"id":"brand-55","name":"Fjord Cycles"},{"id":"brand-56","name":"Grove Cycles"},{"id":"brand-57","name":"Harbor Cycles"},{"id":"brand-58","name":"Indigo Cycles"},{"id":"brand-59","name":"Juniper Cycles"},{"id":"brand-60","name":"Kite Cycles"},{"id":"brand-61","name":"Lumen Cycles"},{"id":"brand-62","name":"Meadow Cycles"},{"id":"brand-63","name":"Nimbus Cycles"},{"id":"brand-64","name":"Onyx Cycles"},{"id":"brand-65","name":"Pine Cycles"},{"id":"brand-66","name":"Amber Dental"},{"id":"brand-67","name":"Birch Dental"},{"id":"brand-68","name":"Cobalt Dental"},{"id":"brand-69","name":"Delta Dental"},{"id":"brand-70","name":"Ember Dental"},{"id":"brand-71","name":"Fjord Dental"},{"id":"brand-72","name":"Grove Dental"},{"id":"brand-73","name":"Harbor Dental"},{"id":"brand-74","name":"Indigo Dental"},{"id":"brand-75","name":"Juniper Dental"},{"id":"brand-76","name":"Kite Dental"},{"id":"brand-77","name":"Lumen Dental"},{"id":"brand-78","name":"Meadow Dental"},{"id":"brand-79","name":"Nimbus Dental"},{"id":"brand-80","name":"Onyx Dental"},{"id":"brand-81","name":"Pine Dental"},{"id":"brand-82","name":"Amber Energy"},{"id":"brand-83","name":"Birch Energy"},{"id":"brand-84","name":"Cobalt Energy"},{"id":"brand-85","name":"Delta Energy"},{"id":"brand-86","name":"Ember Energy"},{"id":"brand-87","name":"Fjord Energy"},{"id":"brand-88","name":"Grove Energy"},{"id":"brand-89","name":"Harbor Energy"},{"id":"brand-90","name":"Indigo Energy"},{"id":"brand-91","name":"Juniper Energy"},{"id":"brand-92","name":"Kite Energy"},{"id":"brand-93","name":"Lumen Energy"},{"id":"brand-94","name":"Meadow Energy"},{"id":"brand-95","name":"Nimbus Energy"},{"id":"brand-96","name":"Onyx Energy"},{"id":"brand-97","name":"Pine Energy"},{"id":"brand-98","name":"Amber Foods"},{"id":"brand-99","name":"Birch Foods"},{"id":"brand-100","name":"Cobalt Foods"},{"id":"brand-101","name":"Delta Foods"},{"id":"brand-102","name":"Ember Foods"},{"id":"brand-103","name":"Fjord Foods"},{"id":"brand-104","name":"Grove Foods"},{"id":"brand-105","name":"Harbor Foods"},{"id":"brand-106","name":"Indigo Foods"},{"id":"brand-107","name":"Juniper Foods"},{"id":"brand-108","name":"Kite Foods"},{"id":"brand-109","name":"Lumen Foods"},{"id":"brand-110","name":"Meadow Foods"},{"id":"brand-111","name":"Nimbus Foods"},{"id":"brand-112","name":"Onyx Foods"},{"id":"brand-113","name":"Pine Foods"},{"id":"brand-114","name":"Amber Games"},{"id":"brand-115","name":"Birch Games"},{"id":"brand-116","name":"Cobalt Games"},{"id":"brand-117","name":"Delta Games"},{"id":"brand-118","name":"Ember Games"},{"id":"brand-119","name":"Fjord Games"},{"id":"brand-120","name":"Grove Games"},{"id":"brand-121","name":"Harbor Games"},{"id":"brand-122","name":"Indigo Games"},{"id":"brand-123","name":"Juniper Games"},{"id":"brand-124","name":"Kite Games"},{"id":"brand-125","name":"Lumen Games"},{"id":"brand-126","name":"Meadow Games"},{"id":"brand-127","name":"Nimbus Games"},{"id":"brand-128","name":"Onyx Games"},{"id":"brand-129","name":"Pine Games"},{"id":"brand-130","name":"Amber Health"},{"id":"brand-131","name":"Birch Health"},{"id":"brand-132","name":"Cobalt Health"},{"id":"brand-133","name":"Delta Health"},{"id":"brand-134","name":"Ember Health"},{"id":"brand-135","name":"Fjord Health"},{"id":"brand-136","name":"Grove Health"},{"id":"brand-137","name":"Harbor Health"},{"id":"brand-138","name":"Indigo Health"},{"id":"brand-139","name":"Juniper Health"},{"id":"brand-140","name":"Kite Health"},{"id":"brand-141","name":"Lumen Health"},{"id":"brand-142","name":"Meadow Health"},{"id":"brand-143","name":"Nimbus Health"},{"id":"brand-144","name":"Onyx Health"},{"id":"brand-145","name":"Pine Health"},{"id":"brand-146","name":"Amber Interiors"},{"id":"brand-147","name":"Birch Interiors"},{"id":"brand-148","name":"Cobalt Interiors"},{"id":"brand-149","name":"Delta Interiors"},{"id":"brand-150","name":"Ember Interiors"},{"id":"brand-151","name":"Fjord Interiors"},{"id":"brand-152","name":"Grove Interiors"},{"id":"brand-153","name":"Harbor Interiors"},{"id":"brand-154","name":"Indigo Interiors"},{"id":"brand-155","name":"Juniper Interiors"},{"id":"brand-156","name":"Kite Interiors"},{"id":"brand-157","name":"Lumen Interiors"},{"id":"brand-158","name":"Meadow Interiors"},{"id":"brand-159","name":"Nimbus Interiors"},{"id":"brand-160","name":"Onyx Interiors"},{"id":"brand-161","name":"Pine Interiors"},{"id":"brand-162","name":"Amber Labs"},{"id":"brand-163","name":"Birch Labs"},{"id":"brand-164","name":"Cobalt Labs"},{"id":"brand-165","name":"Delta Labs"},{"id":"brand-166","name":"Ember Labs"},{"id":"brand-167","name":"Fjord Labs"},{"id":"brand-168","name":"Grove Labs"},{"id":"brand-169","name":"Harbor Labs"},{"id":"brand-170","name":"Indigo Labs"},{"id":"brand-171","name":"Juniper Labs"},{"id":"brand-172","name":"Kite Labs"},{"id":"brand-173","name":"Lumen Labs"},{"id":"brand-174","name":"Meadow Labs"},{"id":"brand-175","name":"Nimbus Labs"},{"id":"brand-176","name":"Onyx Labs"},{"id":"brand-177","name":"Pine Labs"},{"id":"brand-178","name":"Amber Media"},{"id":"brand-179","name":"Birch Media"},{"id":"brand-180","name":"Cobalt Media"},{"id":"brand-181","name":"Delta Media"},{"id":"brand-182","name":"Ember Media"},{"id":"brand-183","name":"Fjord Media"},{"id":"brand-184","name":"Grove Media"},{"id":"brand-185","name":"Harbor Media"},{"id":"brand-186","name":"Indigo Media"},{"id":"brand-187","name":"Juniper Media"},{"id":"brand-188","name":"Kite Media"},{"id":"brand-189","name":"Lumen Media"},{"id":"brand-190","name":"Meadow Media"},{"id":"brand-191","name":"Nimbus Media"},{"id":"brand-192","name":"Onyx Media"},{"id":"brand-193","name":"Pine Media"},{"id":"brand-194","name":"Amber Networks"},{"id":"brand-195","name":"Birch Networks"},{"id":"brand-196","name":"Cobalt Networks"},{"id":"brand-197","name":"Delta Networks"},{"id":"brand-198","name":"Ember Networks"},{"id":"brand-199","name":"Fjord Networks"},{"id":"brand-200","name":"Grove Networks"},{"id":"brand-201","name":"Harbor Networks"},{"id":"brand-202","name":"Indigo Networks"},{"id":"brand-203","name":"Juniper Networks"},{"id":"brand-204","name":"Kite Networks"},{"id":"brand-205","name":"Lumen Networks"},{"id":"brand-206","name":"Meadow Networks"},{"id":"brand-207","name":"Nimbus Networks"},{"id":"brand-208","name":"Onyx Networks"},{"id":"brand-209","name":"Pine Networks"},{"id":"brand-210","name":"Amber Outdoors"},{"id":"brand-211","name":"Birch Outdoors"},{"id":"brand-212","name":"Cobalt Outdoors"},{"id":"brand-213","name":"Delta Outdoors"},{"id":"brand-214","name":"Ember Outdoors"},{"id":"brand-215","name":"Fjord Outdoors"},{"id":"brand-216","name":"Grove Outdoors"},{"id":"brand-217","name":"Harbor Outdoors"},{"id":"brand-218","name":"Indigo Outdoors"},{"id":"brand-219","name":"Juniper Outdoors"},{"id":"brand-220","name":"Kite Outdoors"},{"id":"brand-221","name":"Lumen Outdoors"},{"id":"brand-222","name":"Meadow Outdoors"},{"id":"brand-223","name":"Nimbus Outdoors"},{"id":"brand-224","name":"Onyx Outdoors"},{"id":"brand-225","name":"Pine Outdoors"},{"id":"brand-226","name":"Amber Travel"},{"id":"brand-227","name":"Birch Travel"},{"id":"brand-228","name":"Cobalt Travel"},{"id":"brand-229","name":"Delta Travel"},{"id":"brand-230","name":"Ember Travel"},{"id":"brand-231","name":"Fjord Travel"},{"id":"brand-232","name":"Grove Travel"},{"id":"brand-233","name":"Harbor Travel"},{"id":"brand-234","name":"Indigo Travel"},{"id":"brand-235","name":"Juniper Travel"},{"id":"brand-236","name":"Kite Travel"},{"id":"brand-237","name":"Lumen Travel"},{"id":"brand-238","name":"Meadow Travel"},{"id":"brand-239","name":"Nimbus Travel"},{"id":"brand-240","name":"Onyx Travel"},{"id":"brand-241","name":"Pine Travel"},{"id":"brand-242","name":"Amber Analytics Group"},{"id":"brand-243","name":"Birch Analytics Group"},{"id":"brand-244","name":"Cobalt Analytics Group"},{"id":"brand-245","name":"Delta Analytics Group"},{"id":"brand-246","name":"Ember Analytics Group"},{"id":"brand-247","name":"Fjord Analytics Group"},{"id":"brand-248","name":"Grove Analytics Group"},{"id":"brand-249","name":"Harbor Analytics Group"},{"id":"brand-250","name":"Indigo Analytics Group"},{"id":"brand-251","name":"Juniper Analytics Group"},{"id":"brand-252","name":"Kite Analytics Group"},{"id":"brand-253","name":"Lumen Analytics Group"},{"id":"brand-254","name":"Meadow Analytics Group"},{"id":"brand-255","name":"Nimbus Analytics Group"},{"id":"brand-256","name":"Onyx Analytics Group"},{"id":"brand-257","name":"Pine Analytics Group"},{"id":"brand-258","name":"Amber Bakery Group"},{"id":"brand-259","name":"Birch Bakery Group"},{"id":"brand-260","name":"Cobalt Bakery Group"},{"id":"brand-261","name":"Delta Bakery Group"},{"id":"brand-262","name":"Ember Bakery Group"},{"id":"brand-263","name":"Fjord Bakery Group"},{"id":"brand-264","name":"Grove Bakery Group"},{"id":"brand-265","name":"Harbor Bakery Group"},{"id":"brand-266","name":"Indigo Bakery Group"},{"id":"brand-267","name":"Juniper Bakery Group"},{"id":"brand-268","name":"Kite Bakery Group"},{"id":"brand-269","name":"Lumen Bakery Group"},{"id":"brand-270","name":"Meadow Bakery Group"},{"id":"brand-271","name":"Nimbus Bakery Group"},{"id":"brand-272","name":"Onyx Bakery Group"},{"id":"brand-273","name":"Pine Bakery Group"},{"id":"brand-274","name":"Amber Cycles Group"},{"id":"brand-275","name":"Birch Cycles Group"},{"id":"brand-276","name":"Cobalt Cycles Group"},{"id":"brand-277","name":"Delta Cycles Group"},{"id":"brand-278","name":"Ember Cycles Group"},{"id":"brand-279","name":"Fjord Cycles Group"},{"id":"brand-280","name":"Grove Cycles Group"},{"id":"brand-281","name":"Harbor Cycles Group"},{"id":"brand-282","name":"Indigo Cycles Group"},{"id":"brand-283","name":"Juniper Cycles Group"},{"id":"brand-284","name":"Kite Cycles Group"},{"id":"brand-285","name":"Lumen Cycles Group"},{"id":"brand-286","name":"Meadow Cycles Group"},{"id":"brand-287","name":"Nimbus Cycles Group"},{"id":"brand-288","name":"Onyx Cycles Group"},{"id":"brand-289","name":"Pine Cycles Group"},{"id":"brand-290","name":"Amber Dental Group"},{"id":"brand-291","name":"Birch Dental Group"},{"id":"brand-292","name":"Cobalt Dental Group"},{"id":"brand-293","name":"Delta Dental Group"},{"id":"brand-294","name":"Ember Dental Group"},{"id":"brand-295","name":"Fjord Dental Group"},{"id":"brand-296","name":"Grove Dental Group"},{"id":"brand-297","name":"Harbor Dental Group"},{"id":"brand-298","name":"Indigo Dental Group"},{"id":"brand-299","name":"Juniper Dental Group"},{"id":"brand-300","name":"Kite Dental Group"},{"id":"brand-1","name":"Acme"},{"id":"brand-2","name":"Acme"},{"id":"brand-3","name":"acme"},{"id":"brand-4","name":"Northwind <!channel> Traders"},{"id":"brand-5","name":"Fish &amp; Chips"},{"id":"brand-6","name":"Fish & Chips"},{"id":"brand-7","name":"R&D <https://example.com|click here>"},{"id":"brand-8","name":"*Bold* _Moves_ ~Ltd~ `code`"},{"id":"brand-9","name":"The Extraordinarily Long-Named Holding Company for Regional Hospitality and Leisure Ventures"},{"id":"brand-10","name":"Große Straße Möbelhaus"},{"id":"brand-11","name":"日本デザイン株式会社"},{"id":"brand-12","name":"Студия «Север»"},{"id":"brand-13","name":"مقهى الصباح"},{"id":"brand-14","name":"Café Été"},{"id":"brand-15","name":"Zebra 🦓 Crossing"},{"id":"brand-16","name":"   Padded   "},{"id":"brand-17","name":"N"}]}}');
insert into entries values ('T000000001', 'card_message', 'card-1009/C000000006/1795673586.729000', '1795673586790', NULL, '{"kind":"preview","postedAs":"https://app.example.com/card/card-1009","isExternal":false,"others":[],"detail":"small"}');
insert into entries values ('T000000001', 'cards', 'card-1009', '1795673586803', '1795677186803', E'{"fingerprint":"96ca6aca899d4681","body":{"data":{"id":"card-1009","title":"Spring banner","description":"<p>A banner for the spring sale: fresh, light, no discount in the picture.</p><p>Requested in Slack by Ann · DR-ZYY6P7GA</p>","request_type":{"id":"type-social","name":"Social media"},"product_type":"Graphics","dimensions":"Post: 1080 × 1080 px\\nStory: 1080 × 1920 px","created_by":{"id":"user-of-account-1","name":"Integration"},"labels":"","tags":"","text_copy":"<p>Spring is here</p>","file_formats":"PNG, JPG","software":"Figma","status":{"id":"status-in-review","name":"In review","color":"#a259ff"},"due_date":null,"created_at":"26-Nov-2026 06:13 AM","updated_at":"26-Nov-2026 06:13 AM","files":[{"ext":"png","type":"design","urls":{"full":"http://127.0.0.1:40361/files/file-1/banner-v1.png","large":"http://127.0.0.1:40361/files/file-1/banner-v1.png?size=large&class=","medium":"http://127.0.0.1:40361/files/file-1/banner-v1.png?size=medium&class=","small":"http://127.0.0.1:40361/files/file-1/banner-v1.png?size=small&class="},"id":"file-1","name":"banner-v1.png"}],"brand":null},"status":true}}');
insert into entries values ('T000000001', 'interaction', 'block_actions/1795673586065.4.d2ff5806758923b482319ada254b12ca', '1795673586095', '1795674246095', 'true');
insert into entries values ('T000000001', 'interaction', 'block_actions/1795673586187.5.300b5abd77827bdd50b608e191cc32da', '1795673586206', '1795674246206', 'true');
insert into entries values ('T000000001', 'interaction', 'block_actions/1795673586791.7.6f58e235728a0ef10c4633831671fa24', '1795673586795', '1795674246795', 'true');
insert into entries values ('T000000001', 'interaction', 'command/1795673585532.1.37d9f8ffe572585fa20fcc65a300d5ea', '1795673585566', '1795674245566', 'true');
insert into entries values ('T000000001', 'interaction', 'command/1795673585962.3.b3868fc60d73a984353da9b62c090ee4', '1795673585980', '1795674245980', 'true');
insert into entries values ('T000000001', 'interaction', 'command/1795673586828.8.c041a37634a571c0dcc12da771715302', '1795673586831', '1795674246831', 'true');
insert into entries values ('T000000001', 'interaction', 'command/1795673587038.10.94aaa65c5916e54251119117d67f1a38', '1795673587043', '1795674247043', 'true');
insert into entries values ('T000000001', 'interaction', 'command/1795673587230.12.31d7f3c1b617faa422927fac342637a9', '1795673587272', '1795674247272', 'true');
insert into entries values ('T000000001', 'interaction', 'view_submission/1795673585615.2.3ced9234e6853fe880d26296f592057a', '1795673585643', '1795674245643', 'true');
insert into entries values ('T000000001', 'interaction', 'view_submission/1795673586317.6.66b379eaa43a463b9edbfddb20c0bf44', '1795673586370', '1795674246370', 'true');
insert into entries values ('T000000001', 'interaction', 'view_submission/1795673586849.9.40449f7c2075f928868c2922bb2194bb', '1795673586858', '1795674246858', 'true');
insert into entries values ('T000000001', 'interaction', 'view_submission/1795673587057.11.3ee9eb65bdbec038fd8dbe5e79f51f15', '1795673587065', '1795674247065', 'true');
insert into entries values ('T000000001', 'last_channel', 'U000000004', '1795673586850', '1798265586850', '"C000000006"');
insert into entries values ('T000000001', 'last_channel', 'U000000005', '1795673587344', '1798265587344', '"C000000006"');
insert into entries values ('T000000001', 'learned_choices', 'C000000006/latest', '1795673587065', '1811225587065', '{"requestType":"type-social"}');
insert into entries values ('T000000001', 'learned_choices', 'U000000005/channel/C000000006', '1795673587065', '1811225587065', '{"requestType":"type-social"}');
insert into entries values ('T000000001', 'learned_choices', 'U000000005/latest', '1795673587065', '1811225587065', '{"requestType":"type-social"}');
insert into entries values ('T000000001', 'learned_choices', 'U000000005/type/type-social', '1795673587065', '1811225587065', E'{"product":"Graphics","dimensions":"Post: 1080 × 1080 px\\nStory: 1080 × 1920 px","software":"Figma","formats":["PNG","JPG"]}');
insert into entries values ('T000000001', 'request_types', '', '1795673585818', NULL, '{"fingerprint":"96ca6aca899d4681","body":{"data":[{"id":"type-social","name":"Social media","products":["Graphics","Video","Graphics Video"],"formats":["PNG","JPG","GIF","MP4"],"softwares":["Photoshop","Illustrator","Figma"]},{"id":"type-presentation","name":"Presentation","products":["Graphics","Partner Graphics","Partner Plus"],"formats":["PPTX","PDF","KEY"],"softwares":["PowerPoint","Keynote","Google Slides"]},{"id":"type-video","name":"Video & motion","products":["Video"],"formats":["MP4","MOV","GIF"],"softwares":["After Effects","Premiere Pro"]},{"id":"type-other","name":"Something else","products":[],"formats":[],"softwares":[]},{"id":"type-print","name":"Print","products":["Graphics"],"formats":["PDF","PDF/X-1a","PDF/X-4","EPS","AI","INDD","IDML","TIFF","PSD","PNG","JPG","SVG","DXF"],"softwares":["InDesign","Illustrator"]},{"id":"type-campaign","name":"Integrated campaign with adaptations for every market, channel, language and season of the year","products":["Graphics","Video","Graphics Video","Partner Graphics","Partner Plus"],"formats":["PNG","PDF","MP4"],"softwares":["Figma"]}]}}');
insert into entries values ('T000000001', 'unfinished_form', 'U000000005/12508330-6572-4851-99c0-a188f3922ebd', '1795673587366', '1795759987366', E'{"draft":{"shareIn":"C000000006","dimensions":"Post: 1080 × 1080 px\\nStory: 1080 × 1920 px","formats":["PNG","JPG"],"product":"Graphics","software":"Figma","title":"Autumn poster","requestType":{"id":"type-social","name":"Social media"},"description":{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"In orange."}]}]}},"channelId":"C000000006","isNew":false,"isPrefilled":false,"defaults":[{"owner":"C000000006","scope":"latest","choices":{"requestType":"type-social"}},{"owner":"U000000005","scope":"channel/C000000006","choices":{"requestType":"type-social"}},{"owner":"U000000005","scope":"latest","choices":{"requestType":"type-social"}},{"owner":"U000000005","scope":"type/type-social","choices":{"product":"Graphics","dimensions":"Post: 1080 × 1080 px\\nStory: 1080 × 1920 px","software":"Figma","formats":["PNG","JPG"]}}],"isTyped":true}');
insert into entries values ('T000000001', 'workspace_settings', '', '1795673586964', NULL, '{"unfurls":"small","shareExternally":false,"guestsAllowed":true,"projectId":"project-1","workObjects":"off"}');
insert into entries values ('T9', 'channel_settings', 'C9', '1795673588927', NULL, '{"unfurls":"off"}');
insert into entries values ('T9', 'for_tests', 'U9', '1795673588927', NULL, 'true');
insert into entries values ('T9', 'workspace_settings', '', '1795673588927', NULL, '{"unfurls":"large","shareExternally":false,"guestsAllowed":false,"workObjects":"off"}');
create table installations (
  workspace_id text not null,
  sealed_token text,
  sealed_refresh_token text,
  expires_at bigint,
  bot_id text,
  bot_user_id text,
  scopes text,
  installed_by text,
  installed_at bigint not null,
  version text not null,
  refreshing_until bigint,
  constraint installations_pkey PRIMARY KEY (workspace_id)
);
CREATE INDEX installations_to_refresh ON public.installations USING btree (expires_at);
insert into installations values ('T000000001', NULL, NULL, NULL, 'B000000003', 'U000000002', 'commands,chat:write,chat:write.public,links:read,links:write,users:read,channels:read,groups:read,files:read', NULL, '1795673585210', '54c6aaca-2c78-4d4d-a225-1e61c3aa66ec', NULL);
insert into installations values ('T9', '{"ciphertext":"WuRTz9MwFO5tDn4DchPZaFWHLFHee4JXrg","iv":"YghhDYTk_p_Z-7qv","tag":"Nb1XLz3vPago20_dsKbcmQ","aad":"VDkvYm90LXRva2Vu","protected":"eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiazEifQ"}', NULL, NULL, 'B9', 'U9', 'commands', 'U8', '1795673588927', '2959c936-666d-4fc6-b3b5-b3c6aaf05932', NULL);
create table jobs (
  id bigint generated by default as identity not null,
  kind text not null,
  workspace_id text not null,
  identity text,
  payload text not null,
  state text not null,
  priority integer not null,
  run_at bigint not null,
  attempts integer not null default 0,
  crashes integer not null default 0,
  fence integer not null default 0,
  claimed_by text,
  created_at bigint not null,
  finished_at bigint,
  constraint jobs_identity_key UNIQUE (identity),
  constraint jobs_pkey PRIMARY KEY (id)
);
CREATE INDEX jobs_failed ON public.jobs USING btree (id) WHERE (state = 'failed'::text);
CREATE INDEX jobs_finished ON public.jobs USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX jobs_of_workspace ON public.jobs USING btree (workspace_id);
CREATE INDEX jobs_running ON public.jobs USING btree (claimed_by) WHERE (state = 'running'::text);
CREATE INDEX jobs_to_claim ON public.jobs USING btree (priority, run_at, id, workspace_id, kind) WHERE (state = 'ready'::text);
insert into jobs values ('1', 'deliver-request', 'T000000001', 'deliver-request/7542a885-5d84-4c03-a432-2bb265a7b973/1', '{"requestId":"7542a885-5d84-4c03-a432-2bb265a7b973","revision":1}', 'done', '1', '1795673586370', '1', '0', '1', '58b6f2dc-1dc1-4b32-8905-fdafd02d7aaa', '1795673586370', '1795673586516');
insert into jobs values ('2', 'announce-request', 'T000000001', 'announce-request/7542a885-5d84-4c03-a432-2bb265a7b973/3', '{"requestId":"7542a885-5d84-4c03-a432-2bb265a7b973","revision":3}', 'done', '1', '1795673586493', '1', '0', '1', '58b6f2dc-1dc1-4b32-8905-fdafd02d7aaa', '1795673586493', '1795673586730');
insert into jobs values ('3', 'read-watched-card', 'T000000001', 'read-watched-card/7542a885-5d84-4c03-a432-2bb265a7b973', '{"cardId":"card-1009","watchId":"7542a885-5d84-4c03-a432-2bb265a7b973"}', 'ready', '0', '1795673587493', '0', '0', '0', NULL, '1795673586493', NULL);
insert into jobs values ('4', 'slack-event', 'T000000001', 'event/Ev00000000G', '{"team_id":"T000000001","context_team_id":"T000000001","context_enterprise_id":null,"api_app_id":"A00000000","event":{"type":"link_shared","channel":"C000000006","is_bot_user_member":false,"user":"U000000005","message_ts":"1795673586.729000","links":[{"url":"https://app.example.com/card/card-1009","domain":"app.example.com"}],"unfurl_id":"U000000005-b1a6d064-b1e6754201c82829fcc886e5a6a1068d","source":"conversations_history","event_ts":"1795673586.729000"},"type":"event_callback","event_id":"Ev00000000G","event_time":1795673586,"is_ext_shared_channel":false,"authorizations":[{"enterprise_id":null,"team_id":"T000000001","user_id":"U000000002","is_bot":true,"is_enterprise_install":false}],"event_context":"EC00000000H"}', 'done', '0', '1795673586743', '1', '0', '1', '58b6f2dc-1dc1-4b32-8905-fdafd02d7aaa', '1795673586743', '1795673586810');
insert into jobs values ('5', 'show-watched-card', 'T000000001', 'show-watched-card/7542a885-5d84-4c03-a432-2bb265a7b973/1', '{"cardId":"card-1009","readAt":1795673586803,"revision":1}', 'done', '0', '1795673586836', '1', '0', '1', '58b6f2dc-1dc1-4b32-8905-fdafd02d7aaa', '1795673586836', '1795673587039');
insert into jobs values ('6', 'deliver-request', 'T000000001', 'deliver-request/0e81165b-c75b-4d65-bb68-661a87925ae2/1', '{"requestId":"0e81165b-c75b-4d65-bb68-661a87925ae2","revision":1}', 'ready', '1', '1795673647173', '0', '0', '1', '58b6f2dc-1dc1-4b32-8905-fdafd02d7aaa', '1795673587065', NULL);
insert into jobs values ('7', 'announce-request', 'T000000001', 'announce-request/0e81165b-c75b-4d65-bb68-661a87925ae2/3', '{"requestId":"0e81165b-c75b-4d65-bb68-661a87925ae2","revision":3}', 'done', '1', '1795673587174', '1', '0', '1', '58b6f2dc-1dc1-4b32-8905-fdafd02d7aaa', '1795673587174', '1795673587273');
select setval(pg_get_serial_sequence('jobs', 'id'), (select max(id) from jobs));
create table kysely_migration (
  name character varying(255) not null,
  "timestamp" character varying(255) not null,
  constraint kysely_migration_pkey PRIMARY KEY (name)
);
insert into kysely_migration values ('0001-baseline', '2026-11-26T06:13:05.018Z');
create table organization_workspaces (
  workspace_id text not null,
  organization_id text not null,
  member_since bigint not null,
  constraint organization_workspaces_pkey PRIMARY KEY (workspace_id)
);
CREATE INDEX workspaces_of_organization ON public.organization_workspaces USING btree (organization_id);
insert into organization_workspaces values ('T9', 'E9', '1795673588927');
create table replicas (
  id text not null,
  alive_until bigint not null,
  constraint replicas_pkey PRIMARY KEY (id)
);
insert into replicas values ('e5484d05-9c61-446a-9b1c-335ba328cf94', '1795673588985');
create table requests (
  id text not null,
  reference text not null,
  workspace_id text not null,
  user_id text not null,
  form text not null,
  state text not null,
  problem text,
  revision integer not null,
  attempts integer not null,
  card_id text,
  view_id text,
  sent_by text,
  message text,
  announced_revision integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint requests_pkey PRIMARY KEY (id),
  constraint requests_reference_key UNIQUE (reference)
);
CREATE INDEX requests_by_author ON public.requests USING btree (workspace_id, user_id, created_at);
CREATE INDEX requests_by_card ON public.requests USING btree (workspace_id, card_id) WHERE (card_id IS NOT NULL);
CREATE INDEX requests_by_state ON public.requests USING btree (workspace_id, state, created_at, id);
CREATE INDEX requests_settled ON public.requests USING btree (updated_at) WHERE (state = ANY (ARRAY['created'::text, 'rejected'::text, 'discarded'::text]));
CREATE INDEX requests_unannounced ON public.requests USING btree (created_at, id) WHERE ((announced_revision < revision) AND (state <> ALL (ARRAY['queued'::text, 'sending'::text])));
CREATE INDEX requests_unfinished ON public.requests USING btree (state, created_at, id) WHERE (state = ANY (ARRAY['queued'::text, 'sending'::text, 'waiting_for_key'::text, 'in_doubt'::text]));
insert into requests values ('0e81165b-c75b-4d65-bb68-661a87925ae2', 'DR-YFMTYVKA', 'T000000001', 'U000000005', E'{"shareIn":"C000000006","dimensions":"Post: 1080 × 1080 px\\nStory: 1080 × 1920 px","formats":["PNG","JPG"],"product":"Graphics","software":"Figma","title":"Summer banner","requestType":{"id":"type-social","name":"Social media"},"description":{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"A banner for the summer sale."}]}]},"isDraft":false}', 'queued', '{"code":"busy","retryAt":1795673647173}', '3', '1', NULL, 'V00000000O', '6/1', '{"channel":"D00000000R","ts":"1795673587.235000"}', '3', '1795673587065', '1795673587174');
insert into requests values ('7542a885-5d84-4c03-a432-2bb265a7b973', 'DR-ZYY6P7GA', 'T000000001', 'U000000005', E'{"title":"Spring banner","requestType":{"id":"type-social","name":"Social media"},"description":{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"A banner for the spring sale: fresh, light, no discount in the picture."}]}]},"dimensions":"Post: 1080 × 1080 px\\nStory: 1080 × 1920 px","formats":["PNG","JPG"],"product":"Graphics","software":"Figma","textCopy":{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"Spring is here"}]}]},"shareIn":"C000000006","isDraft":false}', 'created', NULL, '3', '1', 'card-1009', 'V00000000C', '1/1', '{"channel":"C000000006","ts":"1795673586.648000"}', '3', '1795673586370', '1795673586493');
create table watched_cards (
  workspace_id text not null,
  card_id text not null,
  watch_id text not null,
  request_id text,
  told text,
  revision integer not null,
  changed_at bigint not null,
  told_at bigint,
  unreadable_since bigint,
  constraint watched_cards_pkey PRIMARY KEY (workspace_id, card_id)
);
CREATE INDEX watched_cards_by_age ON public.watched_cards USING btree (changed_at);
CREATE INDEX watched_cards_by_request ON public.watched_cards USING btree (request_id);
insert into watched_cards values ('T000000001', 'card-1009', '7542a885-5d84-4c03-a432-2bb265a7b973', '7542a885-5d84-4c03-a432-2bb265a7b973', '{"status":"In review","files":["loxo2gwi4kfvS9eR"],"rest":"LLl5yvfTDVl1pL5m","title":"icC96xjQhrlHVZt9","details":"UAWiXcCI2WIlbQAm","origin":"C3ZeCdJCtFlorLn_"}', '1', '1795673586493', NULL, NULL);
