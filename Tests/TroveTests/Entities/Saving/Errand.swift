// An entity whose hook runs a closure of the test.

@testable import Trove

@EntityModel
struct Errand: Equatable {
    let id: Int
}

extension Errand {
    /// What ``didSave(to:)`` does.
    @TaskLocal static var work: (@Sendable (TransactionContext) throws -> Void)?

    func didSave(to context: TransactionContext) throws { try Errand.work?(context) }

    /// Saves an errand whose hook runs a closure.
    static func run(in store: Store, _ work: @escaping @Sendable (TransactionContext) throws -> Void) throws {
        try $work.withValue(work) { try Errand(id: 1).save(to: store) }
    }
}
