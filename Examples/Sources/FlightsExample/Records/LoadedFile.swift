// The data files that are already in a store.

import Trove

/// A completely loaded data file: a second run on the same store does not load it again.
@IndexKeyRecord("name")
struct LoadedFile: Hashable {
    let name: String
    let rows: Int
}
