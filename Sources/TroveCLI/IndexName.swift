// The name of an index in the output of all subcommands.

/// Returns the name of an index with its type, such as `Shop.User, index(age)`, as in the descriptions of the library.
func indexName(_ index: String, of type: String) -> String { "\(type), \(index)" }
