// The words of fingerprints, by language. They never change: stored fingerprints depend on them.
//
// The words have the endings that an algorithm treats differently: plurals, cases, verbs, diminutives, and words that
// end alike without such an ending.

/// The words with which an analyzer notices another algorithm of its language.
enum StemmerProbe {
    /// Returns the words of a language. A language of a newer library has those of all languages here.
    static func words(of language: String) -> String { words[language] ?? all }

    private static let all = words.sorted { $0.key < $1.key }.map(\.value).joined(separator: " ")

    private static let words: [String: String] = [
        "arabic": """
        الكتاب والكتاب بالكتب كتابهم مكتبة المكتبات يكتبون كتبت سيكتبها المعلمون معلمات المعلمين فالبيت بيوتنا للناس \
        مدرستي المدارس أكبر إسلامية الجامعة جامعتنا يدرسون درسوا كاتبان
        """,
        "armenian": """
        տուն տներ տների տներից տանը գիրք գրքեր գրքերի գրքերով գրել գրում գրեցի գրված մարդ մարդիկ մարդկանց մեծագույն \
        գեղեցիկ գեղեցկություն խոսել խոսելու ազատորեն սովորություններ քաղաքացի քաղաքացիներին
        """,
        "basque": """
        etxe etxea etxeak etxearen etxeetan etxetik liburu liburuak liburuaren liburuekin gizon gizonak gizonari \
        gizonarekin handi handiago handiena ikasle ikasleak ikasten ikasteko egitea eginda zaharra zaharragoa
        """,
        "catalan": """
        casa cases llibre llibres cançó cançons parlar parlava parlaven parlaré parlant parlada cantessis cantaríem \
        ràpidament feliçment nacional nacionals nacionalitat activitats possibilitats petita petites petitet dormint \
        dormirem perdut perduda corredor corredores importància
        """,
        "danish": """
        bog bogen bøger bøgerne hus huset husene husenes gerning gerninger gerningerne venlighed venligheden venlig \
        venligt skrivende skrevet arbejder arbejderne arbejdede løsning løsningerne god godt gode undersøgelser
        """,
        "dutch": """
        huis huizen huisje boek boeken boekje lopen loopt liep gelopen lichamelijk lichamelijkheden mogelijkheid \
        mogelijkheden vriendelijk vriendelijke werken gewerkt werkend opgaven opgave kinderen kind zeeën maan manen
        """,
        "english": """
        generally generous generation skies sky dying idly gently ugly early only singly news howe atlas cosmos bias \
        andes inning outing canning herring earring proceed exceed succeed fluently hopefulness organizer vietnamization \
        knots knotted knotting happiness consolations consolingly evening early hoping hopped useful usefully arsenal
        """,
        "finnish": """
        talo talot talon taloissa taloista taloihin talossamme kirja kirjat kirjojen kirjastossa kirjastojen ihminen \
        ihmiset ihmisten ihmisiä suuri suurempi suurin suurimmat kauneus kauneutta juosta juoksee juoksevat edeltäjiensä \
        edeltäneelle opettajamme vapaasti käsillään veteen
        """,
        "french": """
        continu continua continuait continuant continuation continue continuellement continuer majestueusement \
        majesté chevaux cheval nationaux nationale générosité généreuse finissons finissait finirent parlerions parlées \
        importance importantes amicalement fréquemment heureuse heureux mangé yeux naïve haineux quand logiques abusives
        """,
        "german": """
        aufeinander aufenthalt kategorie kategorien häuser hauses häuschen freundlichkeiten freundliche möglichkeit \
        möglichkeiten ergebnisse wissenschaftlich wissenschaftlichen laufen läuft gelaufen gesungen schönste schöneren \
        straße straßen mädchens auffallend hoffnungslosigkeit täglich bücher büchern jahren systems
        """,
        "greek": """
        άνθρωπος άνθρωποι ανθρώπων ανθρώπους σπίτι σπίτια σπιτιού βιβλίο βιβλία βιβλίων γράφω γράφεις έγραψα γράφουν \
        μεγάλος μεγάλη μεγαλύτερος μεγαλύτεροι μέγιστος παιδάκι παιδιά φωνές καφές καφέδες δραστηριότητες γραμματικός
        """,
        "hindi": """
        लड़का लड़के लड़कों लड़की लड़कियाँ लड़कियों किताब किताबें किताबों जाना जाता जाती जाते जाएगा जाएंगे खाया खाये \
        खाकर पढ़ना पढ़ाई पढ़ेगा करूंगा करेंगी दुनिया विचारों राष्ट्रीयता
        """,
        "hungarian": """
        ház házak házban házakban házunkból könyv könyvek könyveket könyvtárban könyveimet ember emberek embereknek \
        emberekkel nagy nagyobb legnagyobb szép szépen szépsége kerteiben kutyáim almával fával olvasása barátaitoknak
        """,
        "indonesian": """
        buku bukunya bukuku membaca dibaca pembaca bacaan makan makanan memakan dimakan termakan pelajaran mempelajari \
        belajar pengajar perjalanan berjalan dijalankan menyanyikan penyanyi kebaikan sebaiknya ketidakadilan rumahlah
        """,
        "irish": """
        leabhar leabhair teach tithe bhean mbean fear bhfear cathair gcathair athair hathair scoileanna múinteoireacht \
        múinteoirí déanach bailte ainmfhocail dtír oideachas aistriúchán sochaíoch díolaim ollscoileanna
        """,
        "italian": """
        abbandonata abbandonate abbandonati abbandonerò abbandonava casa case bambino bambini felicemente felicità \
        nazionale nazionali mangiare mangiando mangiarono pronunciamento pronunciamenti dormivano finirebbe attività \
        possibilità amico amiche chiamandolo guardarsi logicamente bellissima
        """,
        "lithuanian": """
        namas namai namų namuose namams knyga knygos knygų knygoms knygomis žmogus žmonės žmonių eiti einame ėjo eidamas \
        didelis didesnis didžiausias gražiai mokytojas mokytojai mokytojams kalbėti kalbėjome medžiai vandenys
        """,
        "nepali": """
        घर घरहरू घरमा घरको घरबाट किताब किताबहरू किताबले मानिस मानिसहरूलाई गर्छ गर्छन् गरेको गर्नुपर्छ गयो जान्छु \
        भन्नुभयो भनेर खानेछ पढ्दै नेपालीहरूका
        """,
        "norwegian": """
        bok boken bøker bøkene hus huset husene husenes vennlighet vennligheten vennlig skrivende skrevet arbeider \
        arbeiderne arbeidet havnedistriktene havneeffektiv løsninger løsningene opplysninger god godt gode hemmelig
        """,
        "porter": """
        caresses ponies ties cats feed agreed plastered motoring sing conflated troubled sized hopping tanned falling \
        hissing fizzed failing filing happy sky relational generalizations oscillators probate rate cease controll roll
        """,
        "portuguese": """
        boa boas casa casas cantar cantávamos cantaram cantaria cantando quilométricas quilômetros felizmente \
        felicidade nacional nacionais nacionalização possibilidade possibilidades leões leão amigo amigas irmãos \
        correndo partiríamos existência frequência logia ativamente bonitinha
        """,
        "romanian": """
        abruptă abrupt casă case casele caselor copil copii copiilor cântând cântaseră vorbeam vorbiți naţional \
        naţionalitate națiunilor frumos frumoasă frumoase activităţi posibilităților oamenilor scriitoare bucureştean \
        înțelegere înţelegător
        """,
        "russian": """
        в вавиловка вагнера вагоне дом дома домов домами книга книги книгах человеческий человеческого людей новый \
        новейший новейшими говорить говорил говорящая сделавшись пишущие красивейшие скорость скоростей живучесть \
        чёрный ложь лодкою
        """,
        "serbian": """
        knjiga knjige knjigama књигама kuća kuće kućama čovek ljudi ljudima lepši najlepši lepota govoriti govorim \
        govorili učitelj učiteljica učiteljicama gradovima mogućnosti mogućnostima radnički dječaci dečaci pjesma
        """,
        "spanish": """
        cheques chicas chico casa casas canción canciones cantar cantábamos cantarían cantando torneado felizmente \
        felicidad nacional nacionales nacionalización posibilidades leyéndolo diciéndome amigo amigas corriendo \
        partiríamos existencia lógicamente rápidamente distribuyendo pequeñitos
        """,
        "swedish": """
        bok boken böcker böckerna hus huset husen husens jakt jaktkarlarne klockan klostergården kloka vänlighet \
        vänligheten vänlig skrivande skrivit arbetare arbetarna löst hemligt undersökningar friheterna gott godt
        """,
        "tamil": """
        வீடு வீடுகள் வீட்டில் வீட்டிற்கு புத்தகம் புத்தகங்கள் புத்தகத்தில் மனிதன் மனிதர்கள் மனிதர்களை படிக்கிறான் \
        படித்தான் படிப்பார்கள் பெரிய பெரியது மரங்களின் நாட்டிலிருந்து அவர்களுக்கு
        """,
        "turkish": """
        ev evler evlerimiz evlerinizden evde kitap kitabı kitaplar kitaplarımızdan insan insanlar insanların güzel \
        güzellik güzelliğin gözlük gözlükçü okul okullarda okulumuz arabasıyla adındakiler ağacıdır çocuğuymuşum sonuncu
        """,
        "yiddish": """
        הויז הײַזער בוך ביכער מענטש מענטשן קינד קינדער קינדערלעך שרײַבן שרײַבט געשריבן שרײַבנדיק שיין שענער שענסטער \
        שיינקייט פֿרײַהייט פרײַנדשאַפֿט אַרבעטער געזאָגט לערערקעס
        """,
    ]
}
