// The table of pages.

#if Inspector
/// The table of pages, in the order of the navigation.
enum Routes {
    static let pages: [any Page.Type] = [
        TypesPage.self,
        TypePage.self,
        LayoutPage.self,
        PlanPage.self,
        RecordPage.self,
        SetFieldPage.self,
        DeletePage.self,
        SearchPage.self,
        IndexesPage.self,
        IndexPage.self,
        MigrationsPage.self,
        SQLPage.self,
        HistoryPage.self,
        CommitPage.self,
        LivePage.self,
        LiveEvents.self,
        SpacePage.self,
        HealthPage.self,
        StylesheetAsset.self,
        ScriptAsset.self,
        IconAsset.self,
    ]
}
#endif
