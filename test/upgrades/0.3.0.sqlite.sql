-- {"version":"0.3.0","written":"2026-11-26T06:12:59.026Z","encryptionKeys":"k1:yj19i+ohZQMCJR+nT6/06gPr/hBum2qQW1/eMWz5ho4=","apiKey":"dsk_fb7-khVEq0iZDVWgr2eEKBw019T_FUXP"}
CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE api_keys (
    workspace_id text primary key,
    state text not null,
    sealed_key text,
    last_four text,
    fingerprint text,
    connected_by text,
    changed_at bigint not null
  );
CREATE TABLE requests (
    id text primary key,
    reference text not null unique,
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
    updated_at bigint not null
  );
CREATE TABLE jobs (
    id integer primary key autoincrement,
    kind text not null,
    workspace_id text not null,
    identity text unique,
    payload text not null,
    state text not null,
    priority integer not null,
    run_at bigint not null,
    attempts integer not null default 0,
    crashes integer not null default 0,
    fence integer not null default 0,
    claimed_by text,
    created_at bigint not null,
    finished_at bigint
  );
CREATE TABLE replicas (id text primary key, alive_until bigint not null);
CREATE TABLE entries (
    workspace_id text not null,
    kind text not null,
    name text collate binary not null,
    changed_at bigint not null,
    expires_at bigint,
    value text not null,
    primary key (workspace_id, kind, name)
  );
CREATE TABLE budgets (
    fingerprint text primary key,
    budget text not null,
    revision bigint not null,
    changed_at bigint not null
  );
CREATE TABLE installations (
    workspace_id text primary key,
    sealed_token text,
    sealed_refresh_token text,
    expires_at bigint,
    bot_id text,
    bot_user_id text,
    scopes text,
    installed_by text,
    installed_at bigint not null,
    version text not null,
    refreshing_until bigint
  );
CREATE TABLE organization_workspaces (
    workspace_id text primary key,
    organization_id text not null,
    member_since bigint not null
  );
CREATE TABLE watched_cards (
    workspace_id text not null,
    card_id text not null,
    watch_id text not null,
    request_id text,
    told text,
    revision integer not null,
    changed_at bigint not null,
    told_at bigint,
    unreadable_since bigint,
    primary key (workspace_id, card_id)
  );
CREATE TABLE card_watchers (
    workspace_id text not null,
    card_id text not null,
    user_id text not null,
    channel text,
    ts text,
    watching_since bigint not null,
    primary key (workspace_id, card_id, user_id)
  );
CREATE TABLE audit_entries (
    id text primary key,
    workspace_id text not null,
    what text not null,
    done_by text,
    details text not null,
    done_at bigint not null
  );
insert into "kysely_migration" values ('0001-baseline', '2026-11-26T06:12:56.779Z');
insert into "api_keys" values ('T000000001', 'active', '{"ciphertext":"W4kMpfH-4U2QGHH0A5WUIUNle5qVCSda6jObOsVIlDroz8wR","iv":"UXtIhDs4Mw7Kv_BX","tag":"WwhlkdHe94eeNT5yBlCOZg","aad":"VDAwMDAwMDAwMS9hcGkta2V5","protected":"eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiazEifQ"}', 'FUXP', 'e5c5405fd6eb1f05', 'U000000004', 1795673577675);
insert into "requests" values ('e7cda7cf-4703-4c29-a66c-a2291045ccc8', 'DR-H7H0ANWF', 'T000000001', 'U000000005', '{"title":"Spring banner","requestType":{"id":"type-social","name":"Social media"},"description":{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"A banner for the spring sale: fresh, light, no discount in the picture."}]}]},"dimensions":"Post: 1080 × 1080 px\nStory: 1080 × 1920 px","formats":["PNG","JPG"],"product":"Graphics","software":"Figma","textCopy":{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"Spring is here"}]}]},"shareIn":"C000000006","isDraft":false}', 'created', NULL, 3, 1, 'card-1009', 'V00000000C', '1/1', '{"channel":"C000000006","ts":"1795673578.101000"}', 3, 1795673577960, 1795673578022);
insert into "requests" values ('b0d6a749-f647-4533-89e0-5f556f672799', 'DR-9CF96C6S', 'T000000001', 'U000000005', '{"shareIn":"C000000006","dimensions":"Post: 1080 × 1080 px\nStory: 1080 × 1920 px","formats":["PNG","JPG"],"product":"Graphics","software":"Figma","title":"Summer banner","requestType":{"id":"type-social","name":"Social media"},"description":{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"A banner for the summer sale."}]}]},"isDraft":false}', 'queued', '{"code":"busy","retryAt":1795673638765}', 3, 1, NULL, 'V00000000O', '6/1', '{"channel":"D00000000R","ts":"1795673578.806000"}', 3, 1795673578731, 1795673578766);
insert into "jobs" values (1, 'deliver-request', 'T000000001', 'deliver-request/e7cda7cf-4703-4c29-a66c-a2291045ccc8/1', '{"requestId":"e7cda7cf-4703-4c29-a66c-a2291045ccc8","revision":1}', 'done', 1, 1795673577960, 1, 0, 1, '937bc657-9a2b-4338-8ed3-5a10da348094', 1795673577960, 1795673578033);
insert into "jobs" values (2, 'announce-request', 'T000000001', 'announce-request/e7cda7cf-4703-4c29-a66c-a2291045ccc8/3', '{"requestId":"e7cda7cf-4703-4c29-a66c-a2291045ccc8","revision":3}', 'done', 1, 1795673578022, 1, 0, 1, '937bc657-9a2b-4338-8ed3-5a10da348094', 1795673578022, 1795673578123);
insert into "jobs" values (3, 'read-watched-card', 'T000000001', 'read-watched-card/e7cda7cf-4703-4c29-a66c-a2291045ccc8', '{"cardId":"card-1009","watchId":"e7cda7cf-4703-4c29-a66c-a2291045ccc8"}', 'ready', 0, 1795673579022, 0, 0, 0, NULL, 1795673578022, NULL);
insert into "jobs" values (4, 'slack-event', 'T000000001', 'event/Ev00000000G', '{"team_id":"T000000001","context_team_id":"T000000001","context_enterprise_id":null,"api_app_id":"A00000000","event":{"type":"link_shared","channel":"C000000006","is_bot_user_member":false,"user":"U000000005","message_ts":"1795673578.182000","links":[{"url":"https://app.example.com/card/card-1009","domain":"app.example.com"}],"unfurl_id":"U000000005-5f059cca-9b462309924f69162b3ea6c3ee317ec4","source":"conversations_history","event_ts":"1795673578.182000"},"type":"event_callback","event_id":"Ev00000000G","event_time":1795673578,"is_ext_shared_channel":false,"authorizations":[{"enterprise_id":null,"team_id":"T000000001","user_id":"U000000002","is_bot":true,"is_enterprise_install":false}],"event_context":"EC00000000H"}', 'done', 0, 1795673578201, 1, 0, 1, '937bc657-9a2b-4338-8ed3-5a10da348094', 1795673578201, 1795673578398);
insert into "jobs" values (5, 'show-watched-card', 'T000000001', 'show-watched-card/e7cda7cf-4703-4c29-a66c-a2291045ccc8/1', '{"cardId":"card-1009","readAt":1795673578416,"revision":1}', 'done', 0, 1795673578496, 1, 0, 1, '937bc657-9a2b-4338-8ed3-5a10da348094', 1795673578496, 1795673578645);
insert into "jobs" values (6, 'deliver-request', 'T000000001', 'deliver-request/b0d6a749-f647-4533-89e0-5f556f672799/1', '{"requestId":"b0d6a749-f647-4533-89e0-5f556f672799","revision":1}', 'ready', 1, 1795673638765, 0, 0, 1, '937bc657-9a2b-4338-8ed3-5a10da348094', 1795673578731, NULL);
insert into "jobs" values (7, 'announce-request', 'T000000001', 'announce-request/b0d6a749-f647-4533-89e0-5f556f672799/3', '{"requestId":"b0d6a749-f647-4533-89e0-5f556f672799","revision":3}', 'done', 1, 1795673578766, 1, 0, 1, '937bc657-9a2b-4338-8ed3-5a10da348094', 1795673578766, 1795673578826);
insert into "sqlite_sequence" values ('jobs', 7);
insert into "entries" values ('', 'last_pruned', '', 1795673577188, NULL, '1795673577188');
insert into "entries" values ('T000000001', 'interaction', 'command/1795673577468.1.f7d1f3bfe114324f77b225c2d103c2ad', 1795673577528, 1795674237528, 'true');
insert into "entries" values ('T000000001', 'last_channel', 'U000000004', 1795673578668, 1798265578668, '"C000000006"');
insert into "entries" values ('T000000001', 'interaction', 'view_submission/1795673577554.2.208d9abff5a0c599940fe1e7ff3910a8', 1795673577612, 1795674237612, 'true');
insert into "entries" values ('T000000001', 'request_types', '', 1795673577727, NULL, '{"fingerprint":"e5c5405fd6eb1f05","body":{"data":[{"id":"type-social","name":"Social media","products":["Graphics","Video","Graphics Video"],"formats":["PNG","JPG","GIF","MP4"],"softwares":["Photoshop","Illustrator","Figma"]},{"id":"type-presentation","name":"Presentation","products":["Graphics","Partner Graphics","Partner Plus"],"formats":["PPTX","PDF","KEY"],"softwares":["PowerPoint","Keynote","Google Slides"]},{"id":"type-video","name":"Video & motion","products":["Video"],"formats":["MP4","MOV","GIF"],"softwares":["After Effects","Premiere Pro"]},{"id":"type-other","name":"Something else","products":[],"formats":[],"softwares":[]},{"id":"type-print","name":"Print","products":["Graphics"],"formats":["PDF","PDF/X-1a","PDF/X-4","EPS","AI","INDD","IDML","TIFF","PSD","PNG","JPG","SVG","DXF"],"softwares":["InDesign","Illustrator"]},{"id":"type-campaign","name":"Integrated campaign with adaptations for every market, channel, language and season of the year","products":["Graphics","Video","Graphics Video","Partner Graphics","Partner Plus"],"formats":["PNG","PDF","MP4"],"softwares":["Figma"]}]}}');
insert into "entries" values ('T000000001', 'brands', '', 1795673577734, NULL, '{"fingerprint":"e5c5405fd6eb1f05","body":{"data":[{"id":"brand-18","name":"Amber Analytics"},{"id":"brand-19","name":"Birch Analytics"},{"id":"brand-20","name":"Cobalt Analytics"},{"id":"brand-21","name":"Delta Analytics"},{"id":"brand-22","name":"Ember Analytics"},{"id":"brand-23","name":"Fjord Analytics"},{"id":"brand-24","name":"Grove Analytics"},{"id":"brand-25","name":"Harbor Analytics"},{"id":"brand-26","name":"Indigo Analytics"},{"id":"brand-27","name":"Juniper Analytics"},{"id":"brand-28","name":"Kite Analytics"},{"id":"brand-29","name":"Lumen Analytics"},{"id":"brand-30","name":"Meadow Analytics"},{"id":"brand-31","name":"Nimbus Analytics"},{"id":"brand-32","name":"Onyx Analytics"},{"id":"brand-33","name":"Pine Analytics"},{"id":"brand-34","name":"Amber Bakery"},{"id":"brand-35","name":"Birch Bakery"},{"id":"brand-36","name":"Cobalt Bakery"},{"id":"brand-37","name":"Delta Bakery"},{"id":"brand-38","name":"Ember Bakery"},{"id":"brand-39","name":"Fjord Bakery"},{"id":"brand-40","name":"Grove Bakery"},{"id":"brand-41","name":"Harbor Bakery"},{"id":"brand-42","name":"Indigo Bakery"},{"id":"brand-43","name":"Juniper Bakery"},{"id":"brand-44","name":"Kite Bakery"},{"id":"brand-45","name":"Lumen Bakery"},{"id":"brand-46","name":"Meadow Bakery"},{"id":"brand-47","name":"Nimbus Bakery"},{"id":"brand-48","name":"Onyx Bakery"},{"id":"brand-49","name":"Pine Bakery"},{"id":"brand-50","name":"Amber Cycles"},{"id":"brand-51","name":"Birch Cycles"},{"id":"brand-52","name":"Cobalt Cycles"},{"id":"brand-53","name":"Delta Cycles"},{"id":"brand-54","name":"Ember Cycles"},{"id":"brand-55","name":"Fjord Cycles"},{"id":"brand-56","name":"Grove Cycles"},{"id":"brand-57","name":"Harbor Cycles"},{"id":"brand-58","name":"Indigo Cycles"},{"id":"brand-59","name":"Juniper Cycles"},{"id":"brand-60","name":"Kite Cycles"},{"id":"brand-61","name":"Lumen Cycles"},{"id":"brand-62","name":"Meadow Cycles"},{"id":"brand-63","name":"Nimbus Cycles"},{"id":"brand-64","name":"Onyx Cycles"},{"id":"brand-65","name":"Pine Cycles"},{"id":"brand-66","name":"Amber Dental"},{"id":"brand-67","name":"Birch Dental"},{"id":"brand-68","name":"Cobalt Dental"},{"id":"brand-69","name":"Delta Dental"},{"id":"brand-70","name":"Ember Dental"},{"id":"brand-71","name":"Fjord Dental"},{"id":"brand-72","name":"Grove Dental"},{"id":"brand-73","name":"Harbor Dental"},{"id":"brand-74","name":"Indigo Dental"},{"id":"brand-75","name":"Juniper Dental"},{"id":"brand-76","name":"Kite Dental"},{"id":"brand-77","name":"Lumen Dental"},{"id":"brand-78","name":"Meadow Dental"},{"id":"brand-79","name":"Nimbus Dental"},{"id":"brand-80","name":"Onyx Dental"},{"id":"brand-81","name":"Pine Dental"},{"id":"brand-82","name":"Amber Energy"},{"id":"brand-83","name":"Birch Energy"},{"id":"brand-84","name":"Cobalt Energy"},{"id":"brand-85","name":"Delta Energy"},{"id":"brand-86","name":"Ember Energy"},{"id":"brand-87","name":"Fjord Energy"},{"id":"brand-88","name":"Grove Energy"},{"id":"brand-89","name":"Harbor Energy"},{"id":"brand-90","name":"Indigo Energy"},{"id":"brand-91","name":"Juniper Energy"},{"id":"brand-92","name":"Kite Energy"},{"id":"brand-93","name":"Lumen Energy"},{"id":"brand-94","name":"Meadow Energy"},{"id":"brand-95","name":"Nimbus Energy"},{"id":"brand-96","name":"Onyx Energy"},{"id":"brand-97","name":"Pine Energy"},{"id":"brand-98","name":"Amber Foods"},{"id":"brand-99","name":"Birch Foods"},{"id":"brand-100","name":"Cobalt Foods"},{"id":"brand-101","name":"Delta Foods"},{"id":"brand-102","name":"Ember Foods"},{"id":"brand-103","name":"Fjord Foods"},{"id":"brand-104","name":"Grove Foods"},{"id":"brand-105","name":"Harbor Foods"},{"id":"brand-106","name":"Indigo Foods"},{"id":"brand-107","name":"Juniper Foods"},{"id":"brand-108","name":"Kite Foods"},{"id":"brand-109","name":"Lumen Foods"},{"id":"brand-110","name":"Meadow Foods"},{"id":"brand-111","name":"Nimbus Foods"},{"id":"brand-112","name":"Onyx Foods"},{"id":"brand-113","name":"Pine Foods"},{"id":"brand-114","name":"Amber Games"},{"id":"brand-115","name":"Birch Games"},{"id":"brand-116","name":"Cobalt Games"},{"id":"brand-117","name":"Delta Games"},{"id":"brand-118","name":"Ember Games"},{"id":"brand-119","name":"Fjord Games"},{"id":"brand-120","name":"Grove Games"},{"id":"brand-121","name":"Harbor Games"},{"id":"brand-122","name":"Indigo Games"},{"id":"brand-123","name":"Juniper Games"},{"id":"brand-124","name":"Kite Games"},{"id":"brand-125","name":"Lumen Games"},{"id":"brand-126","name":"Meadow Games"},{"id":"brand-127","name":"Nimbus Games"},{"id":"brand-128","name":"Onyx Games"},{"id":"brand-129","name":"Pine Games"},{"id":"brand-130","name":"Amber Health"},{"id":"brand-131","name":"Birch Health"},{"id":"brand-132","name":"Cobalt Health"},{"id":"brand-133","name":"Delta Health"},{"id":"brand-134","name":"Ember Health"},{"id":"brand-135","name":"Fjord Health"},{"id":"brand-136","name":"Grove Health"},{"id":"brand-137","name":"Harbor Health"},{"id":"brand-138","name":"Indigo Health"},{"id":"brand-139","name":"Juniper Health"},{"id":"brand-140","name":"Kite Health"},{"id":"brand-141","name":"Lumen Health"},{"id":"brand-142","name":"Meadow Health"},{"id":"brand-143","name":"Nimbus Health"},{"id":"brand-144","name":"Onyx Health"},{"id":"brand-145","name":"Pine Health"},{"id":"brand-146","name":"Amber Interiors"},{"id":"brand-147","name":"Birch Interiors"},{"id":"brand-148","name":"Cobalt Interiors"},{"id":"brand-149","name":"Delta Interiors"},{"id":"brand-150","name":"Ember Interiors"},{"id":"brand-151","name":"Fjord Interiors"},{"id":"brand-152","name":"Grove Interiors"},{"id":"brand-153","name":"Harbor Interiors"},{"id":"brand-154","name":"Indigo Interiors"},{"id":"brand-155","name":"Juniper Interiors"},{"id":"brand-156","name":"Kite Interiors"},{"id":"brand-157","name":"Lumen Interiors"},{"id":"brand-158","name":"Meadow Interiors"},{"id":"brand-159","name":"Nimbus Interiors"},{"id":"brand-160","name":"Onyx Interiors"},{"id":"brand-161","name":"Pine Interiors"},{"id":"brand-162","name":"Amber Labs"},{"id":"brand-163","name":"Birch Labs"},{"id":"brand-164","name":"Cobalt Labs"},{"id":"brand-165","name":"Delta Labs"},{"id":"brand-166","name":"Ember Labs"},{"id":"brand-167","name":"Fjord Labs"},{"id":"brand-168","name":"Grove Labs"},{"id":"brand-169","name":"Harbor Labs"},{"id":"brand-170","name":"Indigo Labs"},{"id":"brand-171","name":"Juniper Labs"},{"id":"brand-172","name":"Kite Labs"},{"id":"brand-173","name":"Lumen Labs"},{"id":"brand-174","name":"Meadow Labs"},{"id":"brand-175","name":"Nimbus Labs"},{"id":"brand-176","name":"Onyx Labs"},{"id":"brand-177","name":"Pine Labs"},{"id":"brand-178","name":"Amber Media"},{"id":"brand-179","name":"Birch Media"},{"id":"brand-180","name":"Cobalt Media"},{"id":"brand-181","name":"Delta Media"},{"id":"brand-182","name":"Ember Media"},{"id":"brand-183","name":"Fjord Media"},{"id":"brand-184","name":"Grove Media"},{"id":"brand-185","name":"Harbor Media"},{"id":"brand-186","name":"Indigo Media"},{"id":"brand-187","name":"Juniper Media"},{"id":"brand-188","name":"Kite Media"},{"id":"brand-189","name":"Lumen Media"},{"id":"brand-190","name":"Meadow Media"},{"id":"brand-191","name":"Nimbus Media"},{"id":"brand-192","name":"Onyx Media"},{"id":"brand-193","name":"Pine Media"},{"id":"brand-194","name":"Amber Networks"},{"id":"brand-195","name":"Birch Networks"},{"id":"brand-196","name":"Cobalt Networks"},{"id":"brand-197","name":"Delta Networks"},{"id":"brand-198","name":"Ember Networks"},{"id":"brand-199","name":"Fjord Networks"},{"id":"brand-200","name":"Grove Networks"},{"id":"brand-201","name":"Harbor Networks"},{"id":"brand-202","name":"Indigo Networks"},{"id":"brand-203","name":"Juniper Networks"},{"id":"brand-204","name":"Kite Networks"},{"id":"brand-205","name":"Lumen Networks"},{"id":"brand-206","name":"Meadow Networks"},{"id":"brand-207","name":"Nimbus Networks"},{"id":"brand-208","name":"Onyx Networks"},{"id":"brand-209","name":"Pine Networks"},{"id":"brand-210","name":"Amber Outdoors"},{"id":"brand-211","name":"Birch Outdoors"},{"id":"brand-212","name":"Cobalt Outdoors"},{"id":"brand-213","name":"Delta Outdoors"},{"id":"brand-214","name":"Ember Outdoors"},{"id":"brand-215","name":"Fjord Outdoors"},{"id":"brand-216","name":"Grove Outdoors"},{"id":"brand-217","name":"Harbor Outdoors"},{"id":"brand-218","name":"Indigo Outdoors"},{"id":"brand-219","name":"Juniper Outdoors"},{"id":"brand-220","name":"Kite Outdoors"},{"id":"brand-221","name":"Lumen Outdoors"},{"id":"brand-222","name":"Meadow Outdoors"},{"id":"brand-223","name":"Nimbus Outdoors"},{"id":"brand-224","name":"Onyx Outdoors"},{"id":"brand-225","name":"Pine Outdoors"},{"id":"brand-226","name":"Amber Travel"},{"id":"brand-227","name":"Birch Travel"},{"id":"brand-228","name":"Cobalt Travel"},{"id":"brand-229","name":"Delta Travel"},{"id":"brand-230","name":"Ember Travel"},{"id":"brand-231","name":"Fjord Travel"},{"id":"brand-232","name":"Grove Travel"},{"id":"brand-233","name":"Harbor Travel"},{"id":"brand-234","name":"Indigo Travel"},{"id":"brand-235","name":"Juniper Travel"},{"id":"brand-236","name":"Kite Travel"},{"id":"brand-237","name":"Lumen Travel"},{"id":"brand-238","name":"Meadow Travel"},{"id":"brand-239","name":"Nimbus Travel"},{"id":"brand-240","name":"Onyx Travel"},{"id":"brand-241","name":"Pine Travel"},{"id":"brand-242","name":"Amber Analytics Group"},{"id":"brand-243","name":"Birch Analytics Group"},{"id":"brand-244","name":"Cobalt Analytics Group"},{"id":"brand-245","name":"Delta Analytics Group"},{"id":"brand-246","name":"Ember Analytics Group"},{"id":"brand-247","name":"Fjord Analytics Group"},{"id":"brand-248","name":"Grove Analytics Group"},{"id":"brand-249","name":"Harbor Analytics Group"},{"id":"brand-250","name":"Indigo Analytics Group"},{"id":"brand-251","name":"Juniper Analytics Group"},{"id":"brand-252","name":"Kite Analytics Group"},{"id":"brand-253","name":"Lumen Analytics Group"},{"id":"brand-254","name":"Meadow Analytics Group"},{"id":"brand-255","name":"Nimbus Analytics Group"},{"id":"brand-256","name":"Onyx Analytics Group"},{"id":"brand-257","name":"Pine Analytics Group"},{"id":"brand-258","name":"Amber Bakery Group"},{"id":"brand-259","name":"Birch Bakery Group"},{"id":"brand-260","name":"Cobalt Bakery Group"},{"id":"brand-261","name":"Delta Bakery Group"},{"id":"brand-262","name":"Ember Bakery Group"},{"id":"brand-263","name":"Fjord Bakery Group"},{"id":"brand-264","name":"Grove Bakery Group"},{"id":"brand-265","name":"Harbor Bakery Group"},{"id":"brand-266","name":"Indigo Bakery Group"},{"id":"brand-267","name":"Juniper Bakery Group"},{"id":"brand-268","name":"Kite Bakery Group"},{"id":"brand-269","name":"Lumen Bakery Group"},{"id":"brand-270","name":"Meadow Bakery Group"},{"id":"brand-271","name":"Nimbus Bakery Group"},{"id":"brand-272","name":"Onyx Bakery Group"},{"id":"brand-273","name":"Pine Bakery Group"},{"id":"brand-274","name":"Amber Cycles Group"},{"id":"brand-275","name":"Birch Cycles Group"},{"id":"brand-276","name":"Cobalt Cycles Group"},{"id":"brand-277","name":"Delta Cycles Group"},{"id":"brand-278","name":"Ember Cycles Group"},{"id":"brand-279","name":"Fjord Cycles Group"},{"id":"brand-280","name":"Grove Cycles Group"},{"id":"brand-281","name":"Harbor Cycles Group"},{"id":"brand-282","name":"Indigo Cycles Group"},{"id":"brand-283","name":"Juniper Cycles Group"},{"id":"brand-284","name":"Kite Cycles Group"},{"id":"brand-285","name":"Lumen Cycles Group"},{"id":"brand-286","name":"Meadow Cycles Group"},{"id":"brand-287","name":"Nimbus Cycles Group"},{"id":"brand-288","name":"Onyx Cycles Group"},{"id":"brand-289","name":"Pine Cycles Group"},{"id":"brand-290","name":"Amber Dental Group"},{"id":"brand-291","name":"Birch Dental Group"},{"id":"brand-292","name":"Cobalt Dental Group"},{"id":"brand-293","name":"Delta Dental Group"},{"id":"brand-294","name":"Ember Dental Group"},{"id":"brand-295","name":"Fjord Dental Group"},{"id":"brand-296","name":"Grove Dental Group"},{"id":"brand-297","name":"Harbor Dental Group"},{"id":"brand-298","name":"Indigo Dental Group"},{"id":"brand-299","name":"Juniper Dental Group"},{"id":"brand-300","name":"Kite Dental Group"},{"id":"brand-1","name":"Acme"},{"id":"brand-2","name":"Acme"},{"id":"brand-3","name":"acme"},{"id":"brand-4","name":"Northwind <!channel> Traders"},{"id":"brand-5","name":"Fish &amp; Chips"},{"id":"brand-6","name":"Fish & Chips"},{"id":"brand-7","name":"R&D <https://example.com|click here>"},{"id":"brand-8","name":"*Bold* _Moves_ ~Ltd~ `code`"},{"id":"brand-9","name":"The Extraordinarily Long-Named Holding Company for Regional Hospitality and Leisure Ventures"},{"id":"brand-10","name":"Große Straße Möbelhaus"},{"id":"brand-11","name":"日本デザイン株式会社"},{"id":"brand-12","name":"Студия «Север»"},{"id":"brand-13","name":"مقهى الصباح"},{"id":"brand-14","name":"Café Été"},{"id":"brand-15","name":"Zebra 🦓 Crossing"},{"id":"brand-16","name":"   Padded   "},{"id":"brand-17","name":"N"}]}}');
insert into "entries" values ('T000000001', 'workspace_settings', '', 1795673578689, NULL, '{"unfurls":"small","shareExternally":false,"guestsAllowed":true,"projectId":"project-1","workObjects":"off"}');
insert into "entries" values ('T000000001', 'interaction', 'command/1795673577789.3.bd92f1290f64fd550131c282c8eb3985', 1795673577792, 1795674237792, 'true');
insert into "entries" values ('T000000001', 'interaction', 'block_actions/1795673577814.4.bd8575cfdfb242d3f650eeae88368398', 1795673577822, 1795674237822, 'true');
insert into "entries" values ('T000000001', 'last_channel', 'U000000005', 1795673578866, 1798265578866, '"C000000006"');
insert into "entries" values ('T000000001', 'interaction', 'block_actions/1795673577847.5.349acc426286c2596ef7c14c7e6f1ebf', 1795673577851, 1795674237851, 'true');
insert into "entries" values ('T000000001', 'interaction', 'view_submission/1795673577917.6.2a527e282e1512d8495679a2e53122f4', 1795673577960, 1795674237960, 'true');
insert into "entries" values ('T000000001', 'learned_choices', 'C000000006/latest', 1795673578731, 1811225578731, '{"requestType":"type-social"}');
insert into "entries" values ('T000000001', 'learned_choices', 'U000000005/channel/C000000006', 1795673578731, 1811225578731, '{"requestType":"type-social"}');
insert into "entries" values ('T000000001', 'learned_choices', 'U000000005/latest', 1795673578731, 1811225578731, '{"requestType":"type-social"}');
insert into "entries" values ('T000000001', 'learned_choices', 'U000000005/type/type-social', 1795673578731, 1811225578731, '{"product":"Graphics","dimensions":"Post: 1080 × 1080 px\nStory: 1080 × 1920 px","software":"Figma","formats":["PNG","JPG"]}');
insert into "entries" values ('T000000001', 'card_message', 'card-1009/C000000006/1795673578.182000', 1795673578392, NULL, '{"kind":"preview","postedAs":"https://app.example.com/card/card-1009","isExternal":false,"others":[],"detail":"small"}');
insert into "entries" values ('T000000001', 'interaction', 'block_actions/1795673578393.7.ad81e1b1c9b7c1039da50cbef0871b54', 1795673578405, 1795674238405, 'true');
insert into "entries" values ('T000000001', 'interaction', 'command/1795673578572.8.72596c5098b14cbd915f65b81c11fda7', 1795673578635, 1795674238635, 'true');
insert into "entries" values ('T000000001', 'interaction', 'view_submission/1795673578659.9.f27a9bc3a473f953d6dd9c503f78cdc6', 1795673578683, 1795674238683, 'true');
insert into "entries" values ('T000000001', 'interaction', 'command/1795673578703.10.0ff263b2b3503a2bfee090ba7a858c27', 1795673578706, 1795674238706, 'true');
insert into "entries" values ('T000000001', 'interaction', 'view_submission/1795673578722.11.65097c908cc5579820fd4dc42d64f5c9', 1795673578731, 1795674238731, 'true');
insert into "entries" values ('T000000001', 'interaction', 'command/1795673578799.12.7cabe572365567b6b954c67287316d5f', 1795673578828, 1795674238828, 'true');
insert into "entries" values ('T000000001', 'unfinished_form', 'U000000005/4de65b99-c4d7-4a29-81b5-9726ce2771fd', 1795673578881, 1795759978881, '{"draft":{"shareIn":"C000000006","dimensions":"Post: 1080 × 1080 px\nStory: 1080 × 1920 px","formats":["PNG","JPG"],"product":"Graphics","software":"Figma","title":"Autumn poster","requestType":{"id":"type-social","name":"Social media"},"description":{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"In orange."}]}]}},"channelId":"C000000006","isNew":false,"isPrefilled":false,"defaults":[{"owner":"C000000006","scope":"latest","choices":{"requestType":"type-social"}},{"owner":"U000000005","scope":"channel/C000000006","choices":{"requestType":"type-social"}},{"owner":"U000000005","scope":"latest","choices":{"requestType":"type-social"}},{"owner":"U000000005","scope":"type/type-social","choices":{"product":"Graphics","dimensions":"Post: 1080 × 1080 px\nStory: 1080 × 1920 px","software":"Figma","formats":["PNG","JPG"]}}],"isTyped":true}');
insert into "entries" values ('T9', 'workspace_settings', '', 1795673579026, NULL, '{"unfurls":"large","shareExternally":false,"guestsAllowed":false,"workObjects":"off"}');
insert into "entries" values ('T9', 'channel_settings', 'C9', 1795673579026, NULL, '{"unfurls":"off"}');
insert into "entries" values ('T9', 'for_tests', 'U9', 1795673579026, NULL, 'true');
insert into "budgets" values ('e5c5405fd6eb1f05', '{"limit":60,"waitUntil":1795673638759,"calls":[{"until":1795673641000,"count":4,"links":0},{"until":1795673642000,"count":4,"links":1}]}', 9, 1795673578759);
insert into "installations" values ('T000000001', NULL, NULL, NULL, 'B000000003', 'U000000002', 'commands,chat:write,chat:write.public,links:read,links:write,users:read,channels:read,groups:read,files:read', NULL, 1795673576951, '87ff91ae-4ccf-40a9-82c9-93c65d8a9350', NULL);
insert into "installations" values ('T9', '{"ciphertext":"QKlf8QUAzwhbghTCSXOKSYFC2HAoVe_mvw","iv":"onJUiX2QBMqv5Mfa","tag":"hfnCo3_eLDERSrwYl9xWXw","aad":"VDkvYm90LXRva2Vu","protected":"eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiazEifQ"}', NULL, NULL, 'B9', 'U9', 'commands', 'U8', 1795673579026, '28b19a05-f885-448e-a6b9-4e13cc12f6bd', NULL);
insert into "organization_workspaces" values ('T9', 'E9', 1795673579026);
insert into "watched_cards" values ('T000000001', 'card-1009', 'e7cda7cf-4703-4c29-a66c-a2291045ccc8', 'e7cda7cf-4703-4c29-a66c-a2291045ccc8', '{"status":"In review","files":["loxo2gwi4kfvS9eR"],"rest":"shmT7uOtERsC7K0Q","title":"icC96xjQhrlHVZt9","details":"UAWiXcCI2WIlbQAm","origin":"s783gVfRUcnBw2HJ"}', 1, 1795673578022, NULL, NULL);
insert into "card_watchers" values ('T000000001', 'card-1009', 'U000000005', 'C000000006', '1795673578.101000', 1795673578022);
insert into "audit_entries" values ('4ce1cd7a-a504-471e-93b3-bde038e6cbd8', 'T000000001', 'key_connected', 'U000000004', '{"changes":[{"field":"key","after":"FUXP"}]}', 1795673577685);
insert into "audit_entries" values ('7053928a-6f24-46ae-b9ba-52506fb044d3', 'T000000001', 'settings_changed', 'U000000004', '{"changes":[{"field":"projectId","after":"project-1"}]}', 1795673577784);
insert into "audit_entries" values ('ac143cdd-ed93-4b50-8ea4-8e70e4878cea', 'T000000001', 'settings_changed', 'U000000004', '{"changes":[{"field":"guestsAllowed","before":false,"after":true}]}', 1795673578689);
CREATE INDEX requests_by_author on requests (workspace_id, user_id, created_at);
CREATE INDEX requests_by_state on requests (workspace_id, state, created_at, id);
CREATE INDEX requests_by_card on requests (workspace_id, card_id) where card_id is not null;
CREATE INDEX requests_unfinished on requests (state, created_at, id)
    where state in ('queued', 'sending', 'waiting_for_key', 'in_doubt');
CREATE INDEX requests_unannounced on requests (created_at, id)
    where announced_revision < revision and state not in ('queued', 'sending');
CREATE INDEX requests_settled on requests (updated_at)
    where state in ('created', 'rejected', 'discarded');
CREATE INDEX jobs_to_claim on jobs (priority, run_at, id, workspace_id, kind)
    where state = 'ready';
CREATE INDEX jobs_running on jobs (claimed_by) where state = 'running';
CREATE INDEX jobs_failed on jobs (id) where state = 'failed';
CREATE INDEX jobs_finished on jobs (finished_at) where finished_at is not null;
CREATE INDEX jobs_of_workspace on jobs (workspace_id);
CREATE INDEX entries_by_expiry on entries (expires_at) where expires_at is not null;
CREATE INDEX installations_to_refresh on installations (expires_at);
CREATE INDEX workspaces_of_organization on organization_workspaces (organization_id);
CREATE INDEX watched_cards_by_age on watched_cards (changed_at);
CREATE INDEX watched_cards_by_request on watched_cards (request_id);
CREATE INDEX card_watchers_by_person on card_watchers (workspace_id, user_id, watching_since);
CREATE INDEX audit_entries_of_a_workspace on audit_entries (workspace_id, done_at, id);
CREATE INDEX audit_entries_by_age on audit_entries (done_at);
