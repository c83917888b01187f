// Programs that save purchases with totals at the same time, while another program may build the totals.

import Trove

/// Purchases as an older program declares them, without totals.
@IndexKeyRecord(keyPrefix: 4_000_071, "id")
package struct PlainPurchase: Hashable {
    package let id: Int
    package var city: String
    package var cents: Int
    package var weight: Double

    package init(id: Int, city: String, cents: Int, weight: Double) {
        (self.id, self.city, self.cents, self.weight) = (id, city, cents, weight)
    }

    /// Returns the purchase with a number.
    package static func numbered(_ id: Int) -> PlainPurchase {
        PlainPurchase(id: id, city: "city \(id % 7)", cents: id % 100, weight: Double(id) / 10)
    }
}

@IndexKeyRecord(keyPrefix: 4_000_071, "id")
package struct SharedPurchase: Hashable {
    #Totals<SharedPurchase>(by: \.city, of: \.cents, \.weight)
    #Totals<SharedPurchase>(where: { $0.cents > 0 })

    package let id: Int
    package var city: String
    package var cents: Int
    package var weight: Double

    package init(id: Int, city: String, cents: Int, weight: Double) {
        (self.id, self.city, self.cents, self.weight) = (id, city, cents, weight)
    }
}

/// Saves, changes and deletes the purchases of all programs, compares the totals with the records, and prints the
/// number of each transaction.
struct PurchaseProgram {
    private struct Wrong: Error {
        var answer: String
    }

    private struct Undone: Error {}

    let store: Store
    let writer: Int
    /// The number of transactions; 0 for a program that goes on until it is killed.
    let count: Int

    func run() throws {
        var state = UInt64(writer)
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        var number = 0
        while count == 0 || number < count {
            try store.write { context in
                for _ in 0...random(4) {
                    let id = random(700)
                    let purchase = SharedPurchase(
                        id: id, city: "city \(random(9))", cents: random(100) - 50,
                        weight: Double(random(1000) - 500) / 10)
                    switch random(6) {
                    case 0: try context.delete(SharedPurchase.self, key: id)
                    case 1:
                        // As if nothing were written.
                        do {
                            try context.nested { nested in
                                try nested.insert(purchase)
                                throw Undone()
                            }
                        } catch is Undone {}
                    default: try context.insert(purchase)
                    }
                }
                if number % 50 == 0 { try Self.compare(context) }
            }
            if number % 25 == 0 { try store.read { try Self.compare($0) } }
            TroveStoreWorker.say("\(number)")
            number += 1
        }
    }

    /// The totals and the records are those of one moment, whatever the other programs do.
    private static func compare(_ context: ReadContext) throws {
        var cents: [String: Int] = [:]
        var positive = 0
        for purchase in try SharedPurchase.query().resolve(in: context) {
            cents[purchase.city, default: 0] += purchase.cents
            if purchase.cents > 0 { positive += 1 }
        }
        let stored = try SharedPurchase.grouped(by: \.city).sum(of: \.cents).resolve(in: context)
        let sums = [String: Int](uniqueKeysWithValues: stored.map { ($0.key, $0.value) })
        guard sums == cents else { throw Wrong(answer: "\(sums), not \(cents)") }
        let count = try SharedPurchase.filter(\.cents > 0).count(in: context)
        guard count == positive else { throw Wrong(answer: "\(count), not \(positive)") }
    }
}
