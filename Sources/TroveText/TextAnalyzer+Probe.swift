// The text of fingerprints. It never changes: every stored fingerprint depends on it.

extension TextAnalyzer {
    /// The first article of the Universal Declaration of Human Rights in twelve scripts and more languages, then English
    /// words with all usual endings, for stemmers, and the edges of the rules.
    static let probe = """
        All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience \
        and should act towards one another in a spirit of brotherhood.
        Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und \
        sollen einander im Geist der Brüderlichkeit begegnen.
        Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de \
        conscience et doivent agir les uns envers les autres dans un esprit de fraternité.
        Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y \
        conciencia, deben comportarse fraternalmente los unos con los otros.
        Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di \
        coscienza e devono agire gli uni verso gli altri in spirito di fratellanza.
        Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de consciência, \
        devem agir uns para com os outros em espírito de fraternidade.
        Alla människor är födda fria och lika i värde och rättigheter. De är utrustade med förnuft och samvete och bör \
        handla gentemot varandra i en anda av broderskap.
        Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft og samvittighed, og \
        de bør handle mod hverandre i en broderskabets ånd.
        Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd met verstand en geweten.
        Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja \
        omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä.
        Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Bütün insanlar hür, haysiyet ve haklar \
        bakımından eşit doğarlar. Toate ființele umane se nasc libere și egale în demnitate și în drepturi.
        Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.
        Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны \
        поступать в отношении друг друга в духе братства.
        Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. ᾧ τῷ ἀρχῇ
        כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. בְּרֵאשִׁית צה״ל
        يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميراً كـــتاب ۱۲۳ می‌خواهم
        सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। हिन्दी १२३ क़लम
        மனிதப் பிறவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்.
        Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով։ և
        ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.
        የሰው፡ልጅ፡ሁሉ፡ሲወለድ፡ነጻና፡በክብርና፡በመብትም፡እኩልነት፡ያለው፡ነው። ፳፻፲፭
        มนุษย์ทั้งปวงเกิดมามีอิสระและเสมอภาคกันในศักดิ์ศรีและสิทธิ น้ำ ๑๒๓
        すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。コンピューター ｶﾞｲﾄﾞ 人々
        人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。
        모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.
        caresses ponies ties cats feed agreed plastered motoring sing conflated troubled sized hopping tanned falling \
        hissing fizzed failing filing happy sky relational conditional rational hesitancy digitizer conformably radically \
        differently vilely analogously predication operator feudalism decisiveness hopefulness callousness formality \
        sensitivity sensibility triplicate formative formalize electricity electrical hopeful goodness revival allowance \
        inference airliner gyroscopic adjustable defensible irritant replacement adjustment dependent adoption communism \
        activate angularity homologous effective bowdlerize probate rate cease controlling rolled past paste evening \
        skies dying lying tying news inning outing canning proceed exceed succeed generate university organization
        can't o'clock example.com snake_case well-known 3.14 1,000 007 ½ x² №5 ﬁnd ＡＢＣ ÅNGSTRÖM İstanbul ISTANBUL \
        ısı STRASSE straße ẞ ǅ Ǆ e\u{301}te\u{301} a\u{328}\u{301} soft\u{AD}hyphen \u{200F}mark\u{200F} ⅷ ① ﷺ ㍿ \
        👩🏽‍💻 👨‍👩‍👧 🇸🇪🇩🇪 1️⃣ #️⃣ ❤️ ❤ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 © → € C++ 𝔘𝔫𝔦 \u{378}
        """
}
