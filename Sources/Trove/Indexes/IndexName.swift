// The name of an index in reports and in the output of the command `trove`.

/// Returns the name of an index with its type, such as `Shop.User, index(age)`.
package func indexName(_ index: String, of type: String) -> String { "\(type), \(index)" }
