// The part of the tour with SQL: a report, and the costs of the same questions in Swift and in SQL.

import ExampleReport
import Foundation
import Trove
import TroveSQL

/// A question in Swift and in SQL, with the duration of each answer.
private struct Comparison {
    let question: String
    let typed: Timed<Int>
    let sql: Timed<[Int]>
    let plan: String

    /// The answer; nil if the two answers differ.
    var answer: Int? { sql.value == [typed.value] ? typed.value : nil }
}

/// Answers a question in both ways. The first answers, which prepare the statement and warm the cache, are not timed.
private func compare(
    _ question: String, in context: ReadContext, _ sql: SQL, with typed: () throws -> Int
) throws -> Comparison {
    func bySQL() throws -> [Int] { try context.sql(sql, as: Int.self) }
    _ = (try typed(), try bySQL())
    return Comparison(
        question: question, typed: try timed(typed), sql: try timed(bySQL), plan: try context.explainSQL(sql))
}

extension Tour {
    static let report = Section(
        "A report by SQL: a join of two types, grouped and sorted",
        code: #"""
            let miles = 1_000
            let delays = try store.sql(
                """
                SELECT a.name, count(*), avg(f.arrivalDelay)
                FROM Flight f JOIN Airline a ON a.carrier = f.carrier
                WHERE f.miles > \(miles)
                GROUP BY f.carrier ORDER BY 3 DESC LIMIT 5
                """, as: (String, Int, Double?).self)
            """#,
        run: delaysByAirline
    ) { delays in
        Table(
            ["airline", "long flights", "mean minutes late"],
            rows: delays.map { [$0, $1.grouped, $2.map { String(format: "%.1f", $0) } ?? "–"] })
    }

    private static func delaysByAirline(in store: Store) throws -> [(String, Int, Double?)] {
        let miles = 1_000
        let delays = try store.sql(
            """
            SELECT a.name, count(*), avg(f.arrivalDelay)
            FROM Flight f JOIN Airline a ON a.carrier = f.carrier
            WHERE f.miles > \(miles)
            GROUP BY f.carrier ORDER BY 3 DESC LIMIT 5
            """, as: (String, Int, Double?).self)
        return delays
    }

    static let costs = Section(
        "The same questions in Swift and in SQL, and what each costs",
        code: #"""
            let answers = try store.read { context in
                [
                    try compare(
                        "how many flights", in: context,
                        "SELECT count(*) FROM Flight"
                    ) { try Flight.query().count(in: context) },
                    try compare(
                        "of one plane", in: context,
                        "SELECT count(*) FROM Flight WHERE tailNumber = 'N737MQ'"
                    ) {
                        try Flight.filter(\.tailNumber == "N737MQ")
                            .count(in: context)
                    },
                    try compare(
                        "three hours late", in: context,
                        "SELECT sum(miles) FROM Flight WHERE departureDelay >= 180"
                    ) {
                        try Flight.filter(\.departureDelay >= 180).sum(of: \.miles)
                            .resolve(in: context)
                    },
                    try compare(
                        "over 1,000 miles", in: context,
                        "SELECT count(*) FROM Flight WHERE miles > 1000"
                    ) { try Flight.filter(\.miles > 1_000).count(in: context) },
                ]
            }
            """#,
        run: answersInBothWays,
        text: { answers in
            answers.map { "\($0.question): \($0.plan)" }.joined(separator: "\n")
        }
    ) { answers in
        Table(
            ["question", "answer", "Swift took", "SQL took"],
            rows: answers.map {
                [$0.question, $0.answer?.grouped ?? "differs", $0.typed.duration.short, $0.sql.duration.short]
            })
    }

    private static func answersInBothWays(in store: Store) throws -> [Comparison] {
        let answers = try store.read { context in
            [
                try compare(
                    "how many flights", in: context,
                    "SELECT count(*) FROM Flight"
                ) { try Flight.query().count(in: context) },
                try compare(
                    "of one plane", in: context,
                    "SELECT count(*) FROM Flight WHERE tailNumber = 'N737MQ'"
                ) {
                    try Flight.filter(\.tailNumber == "N737MQ")
                        .count(in: context)
                },
                try compare(
                    "three hours late", in: context,
                    "SELECT sum(miles) FROM Flight WHERE departureDelay >= 180"
                ) {
                    try Flight.filter(\.departureDelay >= 180).sum(of: \.miles)
                        .resolve(in: context)
                },
                try compare(
                    "over 1,000 miles", in: context,
                    "SELECT count(*) FROM Flight WHERE miles > 1000"
                ) { try Flight.filter(\.miles > 1_000).count(in: context) },
            ]
        }
        return answers
    }
}
