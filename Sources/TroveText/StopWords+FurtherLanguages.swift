// The built-in lists of stop words of further languages. A changed list makes indexes again.

extension StopWords {
    /// The list of a language, such as `english`; empty if there is none.
    package static func builtIn(_ language: String) -> [StopWords] { builtIn.filter { $0.names == [language] } }

    /// Arabic: *في, من, على* and others.
    public static let arabic = StopWords(
        "arabic",
        """
        في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم نحن أنا أنت كان كانت يكون لم لن لا ما قد أن إن أو ثم \
        بل كل بعض بين بعد قبل حتى إذا لكن كما عند غير أي أيضا هنا هناك و ب ل
        """)

    /// Armenian: *և, է, որ* and others.
    public static let armenian = StopWords(
        "armenian",
        """
        և ու է եմ ես ենք եք են էի էր էին որ որը որոնք այս այդ այն սա դա նա նրա նրանք մենք դու դուք իր իմ մեր ձեր մի ինչ երբ \
        հետ համար մեջ վրա բայց կամ թե եթե նաև միայն պետք կա չի չէ
        """)

    /// Basque: *eta, da, ez* and others.
    public static let basque = StopWords(
        "basque",
        """
        eta edo baina da dira du dute zen ziren zuen zuten ez bai bat batzuk hau hori hura hauek horiek haiek ni zu gu zuek \
        bera berak beraiek nire zure gure ere baino bezala dela den nola non noiz zer zein nor oso beste
        """)

    /// Catalan: *el, la, els, i* and others.
    public static let catalan = StopWords(
        "catalan",
        """
        a al als amb aquest aquesta com d de del dels des el ella ells els en entre és era es fins ha hi i jo l la les li lo \
        més molt na ni no o on per perquè però que què qui s se ser seu seva si sense sobre són també te un una uns va
        """)

    /// Finnish: *ja, on, ei* and others.
    public static let finnish = StopWords(
        "finnish",
        """
        ei eivät emme en et ette että han hän häneen hänen he heidän hänelle ja jo joka jos jotka kanssa koska kuin kun me \
        meidän mikä minä minun mitä mutta mukaan myös ne niin niiden nämä no nyt oli olla olen olet olivat on ovat se sen \
        siinä siitä sillä sinä sinun tai tämä tämän te tuo vain vaan
        """)

    /// Greek: *ο, η, το, και* and others.
    public static let greek = StopWords(
        "greek",
        """
        ο η το οι τα του της των τον την τους τις και κι ή να δεν δε μην θα που πως ότι αν σε στο στη στην στον στα στις \
        στους από με για προς κατά μετά αλλά όμως είναι ήταν έχει εγώ εσύ αυτός αυτή αυτό μας σας μου σου ένα ένας μια όταν
        """)

    /// Hindi: *का, है, में* and others.
    public static let hindi = StopWords(
        "hindi",
        """
        का के की है हैं में से को पर ने और या कि यह ये वह वे इस उस इन उन एक ही भी तो था थे थी हो हुआ हुई कर करने किया गया \
        गई जो जब तक तथा नहीं लिए साथ अपने कुछ बाद हम तुम आप मैं
        """)

    /// Hungarian: *a, az, és* and others.
    public static let hungarian = StopWords(
        "hungarian",
        """
        a az ahogy aki akkor ami amely arra azt azon be csak de egy egyik el én és ez ezt fel ha hanem hogy is itt ki le \
        lenne lesz meg mert mi mint minden most már még nagyon ne nem neki nincs ott ő ők pedig sem s te ti úgy vagy van \
        volt vissza voltak
        """)

    /// Indonesian: *yang, dan, di* and others.
    public static let indonesian = StopWords(
        "indonesian",
        """
        yang dan di ke dari untuk dengan pada dalam adalah ini itu tidak bukan akan telah sudah juga atau oleh sebagai saya \
        aku kamu anda dia ia kami kita mereka ada bisa dapat harus karena jika kalau tetapi namun hanya lagi masih saat
        """)

    /// Irish: *an, na, agus* and others.
    public static let irish = StopWords(
        "irish",
        """
        a ach ag agus an ar as atá ba bhí cad cé chun dá de den do don é faoi go gur i iad idir in is í le leis mar mé mo na \
        ní níor nó ó os roimh sa san sé seo sí sin siad sinn tá thar tú um
        """)

    /// Lithuanian: *ir, yra, kad* and others.
    public static let lithuanian = StopWords(
        "lithuanian",
        """
        ir yra kad bet ar arba o į iš su be po prie per nuo iki už ant apie dėl jis ji jie jos aš tu mes jūs jo jų mano tavo \
        savo šis ši tas ta tai kas kuris kuri kaip kai jau dar tik ne nėra buvo būti bus taip čia ten
        """)

    /// Nepali: *र, को, छ* and others.
    public static let nepali = StopWords(
        "nepali",
        """
        र को का की मा ले लाई बाट देखि सम्म छ छन् छैन हो होइन थियो थिए भयो भएको गरेको यो त्यो यस त्यस यी ती म हामी तिमी \
        तपाईं उनी उनले अनि तर पनि वा कि के जो जुन भने एक लागि साथ
        """)

    /// Romanian: *și, de, la* and others.
    public static let romanian = StopWords(
        "romanian",
        """
        a al ale am ar are au ca că care ce cea cei cel cu da dar de din după ea ei el ele este eu fi fost în între îi își \
        la le lor lui mai mea mi ne nici nu o pe pentru prin s sa să sau se sunt și ta te tu un una unei unui unor va voi
        """)

    /// Serbian: *и, у, је* and others, in both scripts.
    public static let serbian = StopWords(
        "serbian",
        """
        i u je na da se za od su sa s o ne ali ili a iz do po kao što koji koja koje to ta taj ovaj ova ovo on ona ono oni \
        mi vi ja ti sam si smo ste bio bila bi će li još samo kad ako и у је на да се за од су са с о не али или а из до по \
        као што који која које то та тај овај ова ово он она оно они ми ви ја ти сам си смо сте био била би ће ли још
        """)

    /// Tamil: *ஒரு, என்று, மற்றும்* and others.
    public static let tamil = StopWords(
        "tamil",
        """
        ஒரு என்று மற்றும் இந்த இது என்ற கொண்டு என்பது பல ஆகும் அல்லது அவர் நான் உள்ள அந்த இவர் என முதல் என்ன இருந்து சில \
        என் போன்ற வேண்டும் வந்து இதன் அது அவன் தான் பலரும் என்னும் மேலும் பின்னர் கொண்ட இருக்கும் தனது உள்ளது போது \
        என்றும் அதன் தன் பிறகு அவர்கள் வரை அவள் நீ
        """)

    /// Turkish: *ve, bir, bu* and others.
    public static let turkish = StopWords(
        "turkish",
        """
        acaba ama ancak aslında az bana ben benim beri bir biz bu bunu bunun çok çünkü da daha de değil diye en gibi hem hep \
        her için ile ise kadar ki kim mı mi mu mü nasıl ne neden o olan olarak ona onlar onu sen siz şey şu ve veya ya yani
        """)

    /// Yiddish: *דער, די, און* and others.
    public static let yiddish = StopWords(
        "yiddish",
        """
        דער די דאָס דעם און אָדער אָבער אין אויף פֿון פֿאַר מיט צו צום בײַ נאָך איז זענען האָט האָבן איך דו ער זי עס מיר איר \
        זיי זיך נישט ניט אַז ווי ווען וואָס ווער אַ אַן אויך שוין נאָר
        """)
}
