// Restores the relations that lost entries of the catalog, as in a salvaged store: their rules apply again, and their
// lists have all links.

import Logging

extension Store {
    /// Restores the relations of the declared types, if the store can be written.
    ///
    /// A relation that cannot be restored does not keep the store from opening.
    func restoreRelations(unless isCancelled: CancellationFlag) throws {
        let lost = try readToEnd { context in
            try declaredTypes.flatMap { try $0.schema.entity?.type.relationEnds() ?? [] }.map(\.links).filter {
                try context.mayNeedRestoring($0)
            }
        }
        guard !lost.isEmpty, !isReadOnly, try readToEnd({ $0.catalogSnapshot.writeError }) == nil else { return }
        for declared in lost {
            do {
                try isCancelled.passing(self).write { try $0.restore(declared) }
            } catch let error as StoreError {
                Logger(label: "trove").warning(
                    "A relation with lost entries of the catalog could not be restored",
                    metadata: ["path": "\(path)", "relation": "\(declared.name)", "error": "\(error)"])
            }
        }
    }
}
