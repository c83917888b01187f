// The error for an index that a type does not have.

#if CommandLine
import Trove
import TroveTerminal

/// The error for an index that a type does not have, with the nearest name as a question.
struct NoSuchIndex: Error, CustomStringConvertible {
    let description: String

    init(type: String, index: String, indexes: [String]) {
        let error = StoreError.schema(.noSuchIndex(type: type, index: index, indexes: indexes))
        description = "\(error)\(NearestName.question(for: index, among: indexes))"
    }
}
#endif
