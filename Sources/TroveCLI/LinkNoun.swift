// The noun for the records of a type in the output of all subcommands.

import Trove

extension StoredLinks? {
    /// The noun for records of a type with this relation: links, or plain records.
    var noun: String { self == nil ? "record" : "link" }
}
