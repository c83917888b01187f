// The SQL workloads: statements beside the same statements in SQLite, and beside typed queries.

import Trove
import TroveSQL

extension Workload {
    static func asking(_ inputs: Inputs) -> [Workload] {
        let count = inputs.people.count
        return aggregating(count) + finding(among: count) + joining(count) + matching(count)
            + changing(count)
    }

    private static func asking(
        _ id: String, _ title: String, records: Int, target: Double?, _ question: Question
    ) -> Workload {
        Workload(
            id: id, title: title, records: records, target: target, work: .asking(question),
            peers: question.typed == nil ? [.troveSQL, .sqlite] : PeerKind.asking, baseline: .sqlite)
    }

    // MARK: Sums and groups

    private static func aggregating(_ count: Int) -> [Workload] {
        [
            asking(
                "Q1", "SQL: the number of records, 100 times", records: 100, target: nil,
                Question("SELECT count(*) FROM Customer", as: Int.self, runs: 100).typed { context, _, sum in
                    sum.add(try Customer.query().count(in: context))
                }),
            sum("Q2", "half of them pass", from: 5_000, of: count, target: 1.1),
            sum("Q2p", "2 % pass", from: 9_800, of: count, target: 0.8),
            asking(
                "Q3", "SQL: sum of an indexed column", records: count, target: 1.5,
                Question("SELECT sum(age) FROM Customer", as: Int.self).typed { context, _, sum in
                    sum.add(try Customer.query().sum(of: \.age).resolve(in: context))
                }),
            asking(
                "Q12", "SQL: groups of a column without an index", records: count, target: 1.2,
                Question(
                    "SELECT city, count(*), sum(balance) FROM Customer GROUP BY city", as: (String, Int, Double).self
                )),
            asking(
                "Q13", "SQL: groups of an indexed column", records: count, target: 1.4,
                Question("SELECT age, count(*) FROM Customer GROUP BY age", as: (Int, Int).self).typed {
                    context, _, sum in
                    for (age, count) in try Customer.grouped(by: \.age).count(in: context) { sum.add(age, count) }
                }),
            asking(
                "Q21", "SQL: the number of distinct cities", records: count, target: 1.4,
                Question("SELECT count(DISTINCT city) FROM Customer", as: Int.self).typed { context, _, sum in
                    sum.add(try Customer.distinct(\.city).resolve(in: context).count)
                }),
            asking(
                "Q22", "SQL: a running sum of the customers of an age", records: count / 90, target: 1.2,
                Question(
                    "SELECT id, sum(balance) OVER (ORDER BY id) FROM Customer WHERE age = ?", as: (Int, Double).self,
                    arguments: { _ in [.integer(30)] })),
        ]
    }

    private static func sum(
        _ id: String, _ share: String, from least: Double, of count: Int, target: Double
    ) -> Workload {
        asking(
            id, "SQL: sum over a scan, \(share)", records: count, target: target,
            Question(
                "SELECT sum(balance) FROM Customer WHERE balance >= ?", as: Double.self,
                arguments: { _ in [.real(least)] }
            ).typed { context, _, sum in
                sum.add(try Customer.filter(\.balance >= least).sum(of: \.balance).resolve(in: context))
            })
    }

    // MARK: Records

    private typealias Row = (Int64, String, Int, String, String, Double, Bool)
    private static let columns = "id, name, age, email, city, balance, isActive"

    private static func finding(among count: Int) -> [Workload] {
        let runs = 1000
        return [
            asking(
                "Q4", "SQL: seven columns of all", records: count, target: 1.3,
                Question("SELECT \(columns) FROM Customer", as: Row.self).typed { context, _, sum in
                    for customer in try Customer.select(in: context) { sum.add(customer) }
                }),
            asking(
                "Q5", "SQL: seven columns by the key", records: runs, target: 1.1,
                Question(
                    "SELECT \(columns) FROM Customer WHERE id = ?", as: Row.self, runs: runs,
                    arguments: { [.integer(Int64($0 * 7919 % count))] }
                ).typed { context, run, sum in
                    if let found = try Customer.get(in: context, id: Int64(run * 7919 % count)) { sum.add(found) }
                }),
            asking(
                "Q6", "SQL: seven columns by a unique value", records: runs, target: 1.1,
                Question(
                    "SELECT \(columns) FROM Customer WHERE email = ?", as: Row.self, runs: runs,
                    arguments: { [.text(Customer.email($0 * 7919 % count))] }
                ).typed { context, run, sum in
                    let email = Customer.email(run * 7919 % count)
                    if let found = try Customer.filter(\.email == email).first(in: context) { sum.add(found) }
                }),
            asking(
                "Q7", "SQL: 20 in the order of an index", records: runs, target: 1.4,
                Question(
                    "SELECT age FROM Customer WHERE age > ? ORDER BY age LIMIT 20", as: Int.self, runs: runs,
                    arguments: { [.integer(Int64($0 % 89))] }
                ).typed { context, run, sum in
                    let query = Customer.filter(\.age > run % 89).sorted(by: \.age).limit(20)
                    for age in try query.select(\.age).resolve(in: context) { sum.add(age) }
                }),
            asking(
                "Q8", "SQL: seven columns of an age", records: count / 90, target: 1.2,
                Question(
                    "SELECT \(columns) FROM Customer WHERE age = ?", as: Row.self, arguments: { _ in [.integer(41)] }
                ).typed { context, _, sum in
                    for customer in try Customer.filter(\.age == 41).resolve(in: context) { sum.add(customer) }
                }),
            asking(
                "Q9", "SQL: 20 in an order without an index", records: count, target: 1.5,
                Question("SELECT balance FROM Customer ORDER BY balance DESC LIMIT 20", as: Double.self).typed {
                    context, _, sum in
                    let query = Customer.query().sorted(by: \.balance.desc).limit(20)
                    for balance in try query.select(\.balance).resolve(in: context) { sum.add(balance) }
                }),
        ]
    }

    // MARK: Joins

    private static func joining(_ count: Int) -> [Workload] {
        let joined = min(1000, count)
        return [
            asking(
                "Q10", "SQL: a join of 1,000 by the key", records: joined, target: 1.5,
                Question(
                    "SELECT sum(c.age) FROM Purchase p JOIN Customer c ON c.id = p.customer WHERE p.id < ?",
                    as: Int.self, arguments: { _ in [.integer(Int64(joined))] })),
            asking(
                "Q11", "SQL: a join of 1,000 by an index, grouped", records: joined, target: 1.8,
                Question(
                    """
                    SELECT c.id, sum(p.amount) FROM Customer c JOIN Purchase p ON p.customer = c.id
                    WHERE c.id < ? GROUP BY c.id
                    """, as: (Int, Double).self, arguments: { _ in [.integer(Int64(joined))] })),
            asking(
                "Q23", "SQL: 1,000 keys of a subquery", records: joined, target: 1.8,
                Question(
                    "SELECT sum(age) FROM Customer WHERE id IN (SELECT customer FROM Purchase WHERE id < ?)",
                    as: Int.self, arguments: { _ in [.integer(Int64(joined))] })),
        ]
    }

    // MARK: Patterns

    private static func matching(_ count: Int) -> [Workload] {
        let articles = Article.texts(customers: count)
        return [
            asking(
                "Q14", "SQL: LIKE with a prefix, without an index", records: count, target: 1,
                Question("SELECT count(*) FROM Customer WHERE name LIKE 'anna b%'", as: Int.self).typed {
                    context, _, sum in
                    let ascii = Customer.filter(.hasPrefix(\.name, "Anna b"))
                    sum.add(try ascii.count(in: context))
                }),
            asking(
                "Q15", "SQL: GLOB with a prefix, by an index", records: 111, target: 1.4,
                Question("SELECT count(*) FROM Customer WHERE email GLOB 'user123*'", as: Int.self).typed {
                    context, _, sum in
                    sum.add(try Customer.filter(.hasPrefix(\.email, "user123")).count(in: context))
                }),
            asking(
                "Q16", "SQL: the ten best articles for two words", records: 1000, target: 1.3,
                // Where scores are equal, FTS5 has the articles in another order.
                Question(
                    "SELECT length(body) > 0 FROM Article WHERE Article MATCH ? ORDER BY rank LIMIT 10",
                    as: Int.self, runs: 100, arguments: { [.text(articles.words(ofEntry: $0))] }
                ).typed { context, run, sum in
                    let query = Article.matching(articles.words(ofEntry: run)).limit(10)
                    for article in try query.resolve(in: context) { sum.add(article.body.isEmpty ? 0 : 1) }
                }),
        ]
    }

    // MARK: Changes

    /// Changes that can be run again.
    private static func changing(_ count: Int) -> [Workload] {
        let some = min(10_000, count)
        return [
            changing(
                "Q17", "SQL: update the customers of an age", records: count / 90, target: 1.4,
                ShopChange(statements: ["UPDATE Customer SET balance = balance + 1 WHERE age = 41"]) { context in
                    try Customer.filter(\.age == 41).update(in: context) { $0.balance += 1 }
                }),
            changing(
                "Q18", "SQL: update an indexed column of all", records: count, target: nil,
                ShopChange(statements: ["UPDATE Customer SET age = (age + 1) % 90"]) { context in
                    try Customer.query().update(in: context) { $0.age = ($0.age + 1) % 90 }
                }),
            changing(
                "Q19", "SQL: delete \(some) by a range of keys, insert them again by SELECT", records: 2 * some,
                target: 2,
                ShopChange(
                    statements: [
                        "DELETE FROM Purchase WHERE id < \(some)",
                        "INSERT INTO Purchase SELECT id, id, balance FROM Customer WHERE id < \(some)",
                    ]
                ) { context in
                    let deleted = try Purchase.filter(\.id < Int64(some)).delete(in: context)
                    let customers = try Customer.filter(\.id < Int64(some)).resolve(in: context)
                    for customer in customers {
                        try context.insert(
                            Purchase(id: customer.id, customer: customer.id, amount: customer.balance))
                    }
                    return deleted + customers.count
                }),
        ]
    }

    private static func changing(
        _ id: String, _ title: String, records: Int, target: Double?, _ change: ShopChange
    ) -> Workload {
        Workload(
            id: id, title: title, records: records, target: target, work: .changingShop(change),
            peers: change.typed == nil ? [.troveSQL, .sqlite] : PeerKind.asking, baseline: .sqlite)
    }
}

extension TextCollection {
    /// Returns the last two words of an entry.
    fileprivate func words(ofEntry number: Int) -> String {
        entries[number * 7919 % entries.count].body.split(separator: " ").suffix(2).joined(separator: " ")
    }
}
