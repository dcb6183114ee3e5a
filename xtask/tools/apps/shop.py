"""A small shop: `shop.py make FILE` writes its database, `shop.py serve FILE PORT` its back office."""

import sqlite3
import sys

CUSTOMERS = ["Ada Byron", "Max Born", "Lise Meitner", "Emmy Noether", "Alan Turing", "Grace Hopper"]
CITIES = ["London", "Bremen", "Vienna", "Erlangen", "Leeds", "Boston"]
STATES = ["new", "paid", "sent"]


def make(path):
    database = sqlite3.connect(path)
    database.executescript(
        """
        create table customer (id integer primary key, name text not null, city text);
        create table orders (id integer primary key, title text not null, state text,
                             total integer, customer_id integer references customer(id));
        """
    )
    for index, (name, city) in enumerate(zip(CUSTOMERS, CITIES)):
        database.execute("insert into customer values (?, ?, ?)", (index + 1, name, city))
    for number in range(1, 121):
        row = (1000 + number, f"Order {1000 + number}", STATES[number % 3], 7 * number % 90 + 10)
        database.execute("insert into orders values (?, ?, ?, ?, ?)", (*row, number % 6 + 1))
    database.commit()


def serve(path, port):
    from flask import Flask
    from flask_admin import Admin
    from flask_admin.contrib.sqla import ModelView
    from flask_sqlalchemy import SQLAlchemy

    app = Flask("shop")
    app.config["SECRET_KEY"] = "loopback only"
    app.config["SQLALCHEMY_DATABASE_URI"] = f"sqlite:///{path}"
    database = SQLAlchemy(app)

    class Customer(database.Model):
        id = database.Column(database.Integer, primary_key=True)
        name = database.Column(database.String, nullable=False)
        city = database.Column(database.String)

        def __str__(self):
            return self.name

    class Orders(database.Model):
        id = database.Column(database.Integer, primary_key=True)
        title = database.Column(database.String, nullable=False)
        state = database.Column(database.String)
        total = database.Column(database.Integer)
        customer_id = database.Column(database.ForeignKey("customer.id"))
        customer = database.relationship(Customer)

    class OrderView(ModelView):
        column_searchable_list = ["title", "state"]
        column_filters = ["total"]
        page_size = 20

    class CustomerView(ModelView):
        column_searchable_list = ["name"]

    admin = Admin(app, name="Shop")
    admin.add_view(CustomerView(Customer, database.session, name="Customers"))
    admin.add_view(OrderView(Orders, database.session, name="Orders"))
    app.run(host="127.0.0.1", port=port)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        serve(sys.argv[2], int(sys.argv[3]))
