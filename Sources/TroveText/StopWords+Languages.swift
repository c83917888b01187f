// The built-in lists of stop words: articles, pronouns, prepositions, conjunctions and auxiliary verbs.
//
// The lists are part of the definitions of indexes: a changed list makes such indexes again.

extension StopWords {
    /// The built-in lists.
    static let builtIn: [StopWords] = [
        english, german, french, spanish, italian, portuguese, dutch, swedish, danish, norwegian, russian,
        arabic, armenian, basque, catalan, finnish, greek, hindi, hungarian, indonesian, irish, lithuanian, nepali,
        romanian,
        serbian, tamil, turkish, yiddish,
    ]

    /// English: *a, and, of, the* and others.
    public static let english = StopWords(
        "english",
        """
        a an and are as at be but by for if in into is it no not of on or such that the their then there these they \
        this to was will with
        """)

    /// German: *der, die, das, und* and others.
    public static let german = StopWords(
        "german",
        """
        aber als am an auch auf aus bei bin bis da das dass dem den der des die doch du durch ein eine einem einen \
        einer eines er es für hat ich ihr im in ist mit nach nicht noch nur ob oder sich sie sind so über um und uns \
        vom von vor war was wenn werden wie wir wird zu zum zur
        """)

    /// French: *le, la, les, et* and others.
    public static let french = StopWords(
        "french",
        """
        à au aux avec ce ces cette dans de des du elle elles en est et eux il ils je l la le les leur leurs lui ma mais \
        me mes mon ne nos notre nous on ou où par pas pour qu que qui sa se ses son sont sur ta te tes ton tu un une \
        vos votre vous y
        """)

    /// Spanish: *el, la, los, y* and others.
    public static let spanish = StopWords(
        "spanish",
        """
        a al como con de del desde donde el ella ellas ellos en entre era es esa ese esta este esto fue ha hay la las \
        le les lo los mas me mi muy nada ni no nos o para pero por porque que quien se ser si sin sobre son su sus \
        también te tu un una uno y ya yo
        """)

    /// Italian: *il, la, gli, e* and others.
    public static let italian = StopWords(
        "italian",
        """
        a agli ai al alla alle anche che chi ci come con da dagli dai dal dalla dalle degli dei del della delle di e è \
        ed gli ha i il in io l la le lei lo loro lui ma mi ne negli nei nel nella nelle noi non o per più quale quello \
        questo se si sono su sua sue sugli sui sul sulla suo suoi ti tra tu un una uno vi voi
        """)

    /// Portuguese: *o, a, os, e* and others.
    public static let portuguese = StopWords(
        "portuguese",
        """
        a ao aos as até com como da das de dela dele deles do dos e é ela elas ele eles em entre era essa esse esta este \
        eu foi há isso já lhe mais mas me meu muito na não nas nem no nos nós o os ou para pela pelo por quando que quem \
        se sem ser seu seus só sua suas também te um uma você
        """)

    /// Dutch: *de, het, een, en* and others.
    public static let dutch = StopWords(
        "dutch",
        """
        aan al als bij dan dat de der deze die dit doch door dus een en er had heb heeft het hij hoe hun iets ik in is \
        ja je kan maar me men met mij mijn na naar niet nog nu of om onder ons ook op over te tot u uit van veel voor \
        was wat we werd wie wij wordt ze zich zij zijn zo zonder
        """)

    /// Swedish: *en, ett, den, och* and others.
    public static let swedish = StopWords(
        "swedish",
        """
        alla att av blev bli blir de dem den denna deras dess det detta dig din dit du där då efter ej eller en er ett \
        från för ha hade han hans har henne hennes hon honom hur här i icke inte ja jag kan man med mig min mot mycket \
        ni nu när någon något några och om oss på samma sig sin som så till under upp ut vad var vara vem vi vid vilken \
        än är åt över
        """)

    /// Danish: *en, et, den, og* and others.
    public static let danish = StopWords(
        "danish",
        """
        af alle at blev bliver da de dem den denne der deres det dette dig din dog du efter eller en end er et for fra \
        ham han hans har havde hende hendes her hun hvad hvis hvor i ikke ind jeg jer jo kan man med meget men mig min \
        mod ned noget nogle nu når og også om op os over på sig sin skal som sådan til ud under var vi vil være
        """)

    /// Norwegian: *en, et, den, og* and others.
    public static let norwegian = StopWords(
        "norwegian",
        """
        alle at av bare ble bli da de deg dem den denne der deres det dette din du eller en er et etter for fra ha hadde \
        han hans har henne her hun hva hvis hvor i ikke inn ja jeg kan kom man med meg men min mot ned noe noen nå når \
        og også om opp oss over på seg selv sin skal som så til ut var ved vi vil vår være
        """)

    /// Russian: *и, в, не, на* and others.
    public static let russian = StopWords(
        "russian",
        """
        а без бы был была были было быть в вам вас во вот все всё вы где да для до его ее её если есть еще ещё же за и \
        из или им их к как ко когда кто ли мне мы на над не него нет ни но ну о об он она они оно от по под при с со \
        так там то того тоже только у уже что чтобы эта эти это я
        """)
}
