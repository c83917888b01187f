// The use of live objects by a list and its rows.

/// Keeps the rounds of live objects running while a list or its rows exist.
///
/// Rows become objects at any later time. The rounds know which commits have come since the snapshot of the rows.
final class LiveHomeUse: Sendable {
    let home: LiveHome

    init(_ home: LiveHome) {
        self.home = home
        home.objects.begin(home)
    }

    deinit { home.objects.end() }
}
