#!/usr/bin/env python3
"""The workloads of the library's benchmark with SQLAlchemy's ORM, on the same tables: orm.py WORKLOAD PARAMETERS DATADIR.

Prints one line of JSON, or exits with status 2 if it does not have the workload.
"""

import itertools
import json
import resource
import struct
import sys
import time

from sqlalchemy import BigInteger, Column, Float, Integer, SmallInteger, Text, create_engine, text
from sqlalchemy.orm import Session, declarative_base

SAVE = 1000


class Post(declarative_base()):
    __tablename__ = "zpost"
    key = Column("z_pk", BigInteger, primary_key=True, autoincrement=False)
    entity = Column("z_ent", BigInteger, default=2)
    version = Column("z_opt", BigInteger, nullable=False)
    editable = Column("zeditable", SmallInteger)
    ignored = Column("zignored", SmallInteger)
    thread_index = Column("zthreadindex", Integer)
    author = Column("zauthor", BigInteger)
    thread = Column("zthread", BigInteger)
    date = Column("zpostdate", Float)
    score = Column("zscore", Float)
    html = Column("zinnerhtml", Text)
    id = Column("zpostid", Text)
    title = Column("ztitle", Text)
    __mapper_args__ = {"version_id_col": version}


def posts(path):
    """Yields the values of the posts of a generated file."""
    head = struct.Struct("<qqqddiBBHHH")
    with open(path, "rb") as file:
        while data := file.read(head.size):
            _, thread, author, date, score, index, editable, ignored, id_size, title_size, html_size = head.unpack(data)
            post_id = file.read(id_size).decode()
            title = None if title_size == 0xFFFF else file.read(title_size).decode()
            yield dict(
                thread=thread, author=author, date=date, score=score, thread_index=index, editable=editable,
                ignored=ignored, id=post_id, title=title, html=file.read(html_size).decode())


def integers(path):
    with open(path, "rb") as file:
        return [number for (number,) in struct.iter_unpack("<q", file.read())]


def batches(values):
    values = iter(values)
    while batch := list(itertools.islice(values, SAVE)):
        yield batch


class Workloads:
    def __init__(self, name, parameters, folder):
        self.name, self.folder = name, folder
        pairs = dict(pair.split("=", 1) for pair in parameters.split())
        engine = create_engine("postgresql+psycopg2://", connect_args=pairs, executemany_mode="values_plus_batch")
        self.session = Session(engine, autoflush=False)
        self.last = self.number("SELECT z_max FROM z_primarykey WHERE z_ent = 2")

    def number(self, statement):
        return int(self.session.execute(text(statement)).scalar() or 0)

    def report(self, count, seconds, check, latencies=()):
        line = dict(runner="orm", w=self.name, n=count, s=seconds, check=check)
        line["rss_kb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if latencies:
            ordered = sorted(latencies)
            line["p50_us"] = ordered[len(ordered) // 2] * 1e6
            line["p99_us"] = ordered[len(ordered) * 99 // 100] * 1e6
        print(json.dumps(line))

    def range(self):
        first, last = self.last * 4 // 10, self.last * 5 // 10
        return self.session.query(Post).filter(Post.key > first, Post.key <= last).order_by(Post.key)

    def w1(self):
        count, start = 0, time.monotonic()
        for batch in batches(posts(f"{self.folder}/posts.bin")):
            self.session.add_all(Post(key=count + place, **values) for place, values in enumerate(batch, 1))
            self.session.commit()
            self.session.expunge_all()
            count += len(batch)
        seconds = time.monotonic() - start
        self.report(count, seconds, self.number("SELECT sum(zthreadindex + length(zinnerhtml)) FROM zpost"))

    def w2f(self):
        count, last, start = 0, self.last, time.monotonic()
        for batch in batches(posts(f"{self.folder}/upsert.bin")):
            ids = [values["id"] for values in batch]
            known = {post.id: post for post in self.session.query(Post).filter(Post.id.in_(ids))}
            for values in batch:
                post = known.get(values["id"])
                if post is None:
                    last += 1
                    self.session.add(Post(key=last, **values))
                    continue
                for name, value in values.items():
                    setattr(post, name, value)
            self.session.commit()
            self.session.expunge_all()
            count += len(batch)
        seconds = time.monotonic() - start
        self.report(count, seconds, self.number("SELECT count(*) + sum(zthreadindex + length(zinnerhtml)) FROM zpost"))

    def w3(self):
        start = time.monotonic()
        found = self.range().all()
        check = sum(self.value(post) for post in found)
        self.report(len(found), time.monotonic() - start, check)

    @staticmethod
    def value(post):
        html = post.html.encode()
        check = post.key + post.editable + post.ignored + post.thread_index + post.author + post.thread
        check += int(post.date) + int(post.score * 1000) + len(html) + len(post.id) + len((post.title or "").encode())
        return check + (html[0] if html else 0)

    def w4s(self):
        first, last = self.last * 4 // 10, self.last * 5 // 10
        check, start = 0, time.monotonic()
        for batch in batches(range(first + 1, last + 1)):
            check += sum(post.thread_index for post in self.session.query(Post).filter(Post.key.in_(batch)))
        self.report(last - first, time.monotonic() - start, check)

    def w5(self):
        queries = integers(f"{self.folder}/q5.bin")
        check, latencies, start = 0, [], time.monotonic()
        for thread, first in zip(queries[::2], queries[1::2]):
            began = time.monotonic()
            page = self.session.query(Post).filter(
                Post.thread == thread, Post.thread_index >= first, Post.thread_index < first + 40)
            for post in page.order_by(Post.thread_index).limit(40):
                check += post.thread_index + len(post.html.encode())
            latencies.append(time.monotonic() - began)
        self.report(len(latencies), time.monotonic() - start, check, latencies)

    def w7(self):
        queries = integers(f"{self.folder}/q7.bin")
        check, latencies, start = 0, [], time.monotonic()
        for number in queries[: len(queries) // 10]:
            began = time.monotonic()
            post = self.session.query(Post).filter(Post.id == str(number)).limit(1).first()
            check += post.key + len(post.html.encode()) if post else 0
            latencies.append(time.monotonic() - began)
        self.report(len(latencies), time.monotonic() - start, check, latencies)

    def w8(self):
        found = self.range().all()
        start = time.monotonic()
        for post in found:
            post.score = post.thread_index * 0.5
        self.session.commit()
        seconds = time.monotonic() - start
        self.report(len(found), seconds, self.number("SELECT CAST(sum(zscore) AS bigint) FROM zpost"))


def main():
    if len(sys.argv) != 4:
        sys.exit(2)
    name = sys.argv[1]
    run = getattr(Workloads, name, None) if name.startswith("w") else None
    if run is None:
        sys.exit(2)
    run(Workloads(*sys.argv[1:]))


main()
