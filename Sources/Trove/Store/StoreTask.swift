// Work of a store in the background, from its opening to its close.

/// A task of a store, such as the gathering of texts.
protocol StoreTask: AnyObject, Sendable {
    /// Begins the work of a store that has been opened.
    func start(_ store: Store)

    /// Ends the work at its next step.
    func stop()

    /// Returns when the work has ended.
    func end() async
}

/// A maintainer of indexes with work in the background.
protocol TaskMaintainer: IndexMaintainer {
    /// Returns the task for the indexes of some types; nil if the options leave it to the program.
    func task(for types: [any IndexKeyRecord.Type], _ options: StoreOptions) -> (any StoreTask)?
}
