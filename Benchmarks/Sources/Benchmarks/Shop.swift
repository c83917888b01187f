// The records of the SQL workloads: customers, their purchases, and articles.

import Foundation
import Trove

@IndexKeyRecord("id")
struct Customer: Equatable {
    #Index<Customer>(\.age)
    #Unique<Customer>(\.email, collisions: .throw)

    let id: Int64
    var name: String
    var age: Int
    var email: String
    var city: String
    var balance: Double
    var isActive: Bool
    var created: Date
}

@IndexKeyRecord("id")
struct Purchase: Equatable {
    #Index<Purchase>(\.customer)

    let id: Int64
    var customer: Int64
    var amount: Double
}

@IndexKeyRecord("id")
struct Article: Equatable {
    #FullTextIndex<Article>(\.title, \.body)

    let id: Int64
    var title: String
    var body: String
}

extension Customer {
    /// The ages of customers: 0 to 89, equally frequent.
    static let ages = 0..<90
    private static let names = ["Anna", "Bo", "Carla", "David", "Elif", "Farid", "Greta", "Hugo"]
    private static let cities = (0..<50).map { "City \($0)" }

    /// Creates the customer of a number, always with the same contents. Ages, cities and balances do not ascend with
    /// the ids.
    init(number: Int) {
        // Multiplication by an odd factor maps each number of 32 bits to a different number.
        let scattered = Int(UInt32(truncatingIfNeeded: number) &* 2_654_435_769)
        let initial = UnicodeScalar(UInt8(97 + scattered / 7 % 26))
        self.init(
            id: Int64(number), name: "\(Self.names[scattered / 3 % 8]) \(initial)\(scattered % 1000)",
            age: scattered / 11 % Self.ages.count, email: Self.email(number),
            city: Self.cities[scattered / 13 % 50],
            // Quarters, so that sums are equal in any order.
            balance: Double(scattered / 17 % 40_000) / 4,
            isActive: number % 3 > 0, created: Date(timeIntervalSinceReferenceDate: Double(number)))
    }

    /// Returns the e-mail address of the customer of a number.
    static func email(_ number: Int) -> String { "user\(number)@example.com" }
}

extension Purchase {
    /// Creates the purchase of a number. A customer has one purchase on average.
    init(number: Int, customers: Int) {
        let scattered = Int(UInt32(truncatingIfNeeded: number) &* 2_654_435_769)
        self.init(
            id: Int64(number), customer: Int64(scattered % customers), amount: Double(scattered / 19 % 4_000) / 4)
    }
}

extension Article {
    /// The texts of articles: random words, a fifth as many texts as there are customers.
    static func texts(customers count: Int) -> TextCollection { .random(max(1, count / 5)) }

    init(_ entry: Entry) { self.init(id: entry.id, title: entry.title, body: entry.body) }
}
