BEGIN TRANSACTION;
CREATE TABLE events (
	study_id INTEGER NOT NULL, 
	position BIGINT NOT NULL, 
	event TEXT NOT NULL, 
	id BIGINT, 
	i BIGINT, 
	j BIGINT, 
	verdict TEXT, 
	who TEXT, 
	"when" TEXT, 
	seconds DOUBLE, 
	same_probability DOUBLE, 
	model_version TEXT, 
	rest TEXT NOT NULL, 
	token TEXT NOT NULL, 
	PRIMARY KEY (study_id, position), 
	FOREIGN KEY(study_id) REFERENCES studies (id)
);
INSERT INTO "events" VALUES(1,0,'opened',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"format": 1, "n_items": 3, "fingerprint": "c0ffee", "method": "urasc", "n_clusters": null, "random_state": 7}','293f4dea817b4484bd8c3b092a4689a2');
INSERT INTO "events" VALUES(1,1,'answered',0,1,0,'same','Zoë','2024-02-29T12:00:00.000+00:00',NULL,NULL,'','{"weight": 0.5, "seconds": null, "same_probability": null}','293f4dea817b4484bd8c3b092a4689a2');
INSERT INTO "events" VALUES(1,2,'answered',1,2,0,'unsure','','',2.5,0.25,'','{"weight": 1.0}','293f4dea817b4484bd8c3b092a4689a2');
INSERT INTO "events" VALUES(1,3,'retracted',NULL,NULL,NULL,NULL,NULL,'2024-02-29T12:00:01.000+00:00',NULL,NULL,NULL,'{"answer_id": 1}','293f4dea817b4484bd8c3b092a4689a2');
CREATE TABLE items (
	study_id INTEGER NOT NULL, 
	position BIGINT NOT NULL, 
	id TEXT NOT NULL, 
	reference TEXT NOT NULL, 
	fingerprint TEXT NOT NULL, 
	present BOOLEAN NOT NULL, 
	PRIMARY KEY (study_id, position), 
	FOREIGN KEY(study_id) REFERENCES studies (id)
);
CREATE TABLE likewise_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT likewise_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "likewise_version" VALUES('0001');
CREATE TABLE studies (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name)
);
INSERT INTO "studies" VALUES(1,'study');
COMMIT;
