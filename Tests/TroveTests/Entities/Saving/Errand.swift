// An entity whose hook runs a closure of the test.

@testable import Trove

@EntityModel
struct Errand: Equatable {
    let id: Int
}

extension Errand {
    /// The closure of a test. As the value of a task local variable without a struct around it, a closure ends the
    /// process in release (Swift 6.3.1).
    struct Work: Sendable {
        let closure: @Sendable (TransactionContext) throws -> Void
    }

    /// What ``didSave(to:)`` does.
    @TaskLocal static var work: Work?

    func didSave(to context: TransactionContext) throws { try Errand.work?.closure(context) }

    /// Saves an errand whose hook runs a closure.
    static func run(in store: Store, _ work: @escaping @Sendable (TransactionContext) throws -> Void) throws {
        try $work.withValue(Work(closure: work)) { try Errand(id: 1).save(to: store) }
    }
}
