// Restores the relations that lost entries of the catalog, as in a salvaged store: their rules apply again, and their
// lists have all links.

import LMDB
import Logging

/// The relations whose restoring has failed in this process, with the paths of their stores and the errors: each is
/// logged once.
private let loggedFailures = Monitor<Set<String>>([])

extension Store {
    /// Restores the relations of the declared types, if the store can be written.
    ///
    /// A relation that cannot be restored does not keep the store from opening. It stays lost until the store is
    /// replaced by a copy.
    func restoreRelations(unless isCancelled: CancellationFlag) throws {
        let lost = try readToEnd { context in
            try declaredTypes.flatMap { try $0.schema.entity?.type.declaredRelations() ?? [] }.map(\.links).filter {
                try context.mayNeedRestoring($0)
            }
        }
        guard !lost.isEmpty, !isReadOnly, try readToEnd({ $0.catalogSnapshot.writeError }) == nil else { return }
        for declared in lost {
            do {
                try isCancelled.passing(self).write { try $0.restore(declared) }
            } catch let error as StoreError {
                logFailure(of: declared, error)
            }
        }
    }

    private func logFailure(of declared: LinkDeclaration, _ error: StoreError) {
        let failure = "\(path) \(declared.name) \(error)"
        guard loggedFailures.withLock({ $0.insert(failure).inserted }) else { return }
        Logger(label: "trove").warning(
            "A relation lost entries of the catalog, and its links cannot be read. Writes of the relation will fail. Restore the store from a copy, or dump its records and load them into a new store.",
            metadata: ["path": "\(path)", "relation": "\(declared.name)", "error": "\(error)"])
    }
}
