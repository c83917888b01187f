// A schema lock beside the types of the store.

#if Inspector
import Trove
import TroveTerminal

/// The differences of the store from a schema lock, as markup.
enum LockView {
    /// The maximum number of types, and of lines of a type.
    private static let limit = 1_000
    /// The maximum number of characters of a line.
    private static let lineLimit = 2_000

    /// Returns the differences by type. A lock that cannot be read is an error in their place.
    ///
    /// - Parameter path: The path of the lock, which is read for each page.
    static func html(of path: String, _ snapshot: Snapshot, _ budget: inout Budget) throws -> HTML {
        let lock: LockedSchema
        do throws(SchemaLockError) {
            lock = try LockedSchema(path: path)
        } catch {
            return section(path) { ErrorPage.message(error) }
        }
        let differences = try snapshot.context.differences(from: lock)
        let items = budget.parts(of: differences.prefix(limit), item)
        return section(path) {
            if differences.isEmpty {
                Tag.p { "The store has the layouts of the lock, of \(counted(lock.count, "type"))." }
            } else {
                Tag.p {
                    "\(counted(differences.count, "type")) of the store and the lock differ. The lock does not have the "
                    "initial values, the older names and the migrations of its program."
                }
                Tag.ul { items }
                Budget.hint(items.count, of: differences.count, "types", limit: limit)
            }
        }
    }

    private static func section(_ path: String, @HTMLBuilder _ content: () -> HTML) -> HTML {
        Tag.section(.id("lock")) {
            Tag.h2 {
                "Schema lock "
                Tag.bdi { path.cut(lineLimit).text }
            }
            content()
        }
    }

    private static func item(_ difference: LockedSchema.Difference) -> HTML {
        Tag.li {
            Tag.bdi { difference.type.cut(lineLimit).text }
            Tag.ul {
                for line in difference.lines.prefix(limit) {
                    Tag.li(.class(difference.isMistake ? "error" : nil)) { Tag.bdi { line.cut(lineLimit).text } }
                }
            }
            Budget.hint(min(limit, difference.lines.count), of: difference.lines.count, "lines", limit: limit)
        }
    }
}
#endif
